/** A line of the daemon's log; further lines of a message are indented. */
export function formatLogLine(message: string): string {
  return `${new Date().toISOString()} ${message.replaceAll("\n", "\n  ")}\n`;
}
