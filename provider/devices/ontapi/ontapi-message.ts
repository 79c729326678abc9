import { escapeXml, parseXml, type XmlElement } from "../xml";

/**
 * Messages of ONTAPI (ZAPI), as the NetApp Manageability SDK describes them: one element per call inside
 * `netapp`, one `results` in the answer.
 */

/** Elements by name; a list repeats its element, undefined leaves one out. */
export interface OntapiTree {
  readonly [element: string]: string | OntapiTree | readonly (string | OntapiTree)[] | undefined;
}

export interface OntapiResults {
  readonly results: XmlElement;
  /** Undefined when the call passed. */
  readonly fault: OntapiFault | undefined;
}

export interface OntapiFault {
  readonly errno: string | undefined;
  readonly reason: string;
}

/**
 * Version of ONTAPI that we speak: that of ONTAP 9.1. Every later release takes an older one; a newer one
 * than its own it refuses.
 */
const spokenVersion = "1.100";

/** `vserver`: the SVM that the call is handed on to; without it the cluster itself answers. */
export function ontapiMessage(api: string, input: OntapiTree, vserver?: string): string {
  const tunnel = vserver === undefined ? "" : ` vfiler="${escapeXml(vserver)}"`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    `<netapp xmlns="http://www.netapp.com/filer/admin" version="${spokenVersion}"${tunnel}>` +
    `${elements({ [api]: input })}</netapp>`
  );
}

/** The results of an answer; undefined when it is none of ONTAPI. */
export function readOntapiAnswer(text: string): OntapiResults | undefined {
  let root: XmlElement;
  try {
    root = parseXml(text);
  } catch {
    return undefined;
  }
  const results = root.name === "netapp" ? root.find("results") : undefined;
  if (results === undefined) return undefined;
  const { status, reason, errno } = results.attributes;
  if (status === "passed") return { results, fault: undefined };
  return { results, fault: { errno, reason: reason ?? "no reason given" } };
}

function elements(tree: OntapiTree): string {
  return Object.entries(tree)
    .map(([name, value]) => {
      if (value === undefined) return "";
      const list: readonly (string | OntapiTree)[] = isList(value) ? value : [value];
      return list.map((one) => `<${name}>${content(one)}</${name}>`).join("");
    })
    .join("");
}

function content(value: string | OntapiTree): string {
  return typeof value === "string" ? escapeXml(value) : elements(value);
}

function isList(
  value: string | OntapiTree | readonly (string | OntapiTree)[],
): value is readonly (string | OntapiTree)[] {
  return Array.isArray(value);
}
