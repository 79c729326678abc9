/** An ONTAP release as the array reports it, compared as numbers: 9.10.1 is later than 9.9.1. */
export interface OntapVersion {
  readonly generation: number;
  readonly major: number;
  readonly minor: number;
}

/**
 * What differs between releases and matters here: first release of each feature, by the ONTAP REST API
 * Reference of that release. The one place for such differences.
 */
const firstRelease = {
  /**
   * FC interface `location.home_port`, `location.port` before. REST is there from 9.6 on, but knows FC
   * interfaces and groups well enough only now; ONTAPI serves 9.6 and 9.7 as well as what is older.
   */
  rest: [9, 8, 0],
  /** igroup `comment`. Before, only the name can carry a mark. */
  igroupComment: [9, 9, 1],
  /** SVM `fcp.allowed` and the like; before, private CLI `vserver add-protocols`. */
  allowedProtocols: [9, 9, 1],
  /** `space.size` in a PATCH of a namespace. */
  namespaceGrowth: [9, 10, 1],
  /** `DELETE /storage/volumes/{uuid}?force=true`; before, the recovery queue is purged by private CLI. */
  forcedVolumeDelete: [9, 12, 1],
} as const;

export type OntapFeature = keyof typeof firstRelease;

export function supports(version: OntapVersion, feature: OntapFeature): boolean {
  const [generation, major, minor] = firstRelease[feature];
  const difference =
    version.generation - generation || version.major - major || version.minor - minor;
  return difference >= 0;
}

/** REST is what this driver speaks with the release; else ONTAPI. */
export function restUsable(version: OntapVersion): boolean {
  return supports(version, "rest");
}

export function versionText(version: OntapVersion): string {
  const minor = version.minor === 0 ? "" : `.${version.minor.toString()}`;
  return `${version.generation.toString()}.${version.major.toString()}${minor}`;
}
