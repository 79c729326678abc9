/**
 * Prints `N passed, N failed` as the very last line (in an exit listener, after Jest's own summary)
 * and turns an open handle, on which Jest would wait for ever, into a failure.
 */
class ClosingLine {
  onRunComplete(_contexts, results) {
    const broken = results.testResults.filter((suite) => suite.testExecError).length;
    let failed = results.numFailedTests + broken;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.on("exit", () => {
      const tail = skipped > 0 ? `, ${skipped} skipped` : "";
      process.stdout.write(`${results.numPassedTests} passed, ${failed} failed${tail}\n`);
    });
    setTimeout(() => {
      process.stdout.write("something that a test opened is still open 5 s after the last test\n");
      failed += 1;
      process.exit(1);
    }, 5000).unref();
  }
}

module.exports = ClosingLine;
