/**
 * Quoting for what Windows guests read. PowerShell takes four more characters for a single quote
 * (about_Quoting_Rules): all are doubled.
 */
export function quotePowerShell(value: string): string {
  if (value.includes("\0")) throw new RangeError("a PowerShell word cannot hold a null character");
  return `'${value.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
}

/** A value of SQL Server's ConfigurationFile.ini: one line in double quotes, which it cannot hold itself. */
export function quoteIni(value: string): string {
  if (/["\r\n\0]/.test(value)) {
    throw new RangeError("a setting of SQL Server's setup cannot hold a quote or a line break");
  }
  return `"${value}"`;
}

/** Text or attribute of an XML answer file. */
export function escapeXmlText(value: string): string {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(value)) {
    throw new RangeError("XML cannot hold a control character");
  }
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}
