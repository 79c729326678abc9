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
  /** FC interface `location.home_port`; before, only `location.port`. Oldest that this driver speaks. */
  homePort: [9, 8, 0],
  /** igroup `comment`. Before, only the name can carry a mark. */
  igroupComment: [9, 9, 1],
  /** SVM `fcp.allowed` and the like; before, private CLI `vserver add-protocols`. */
  allowedProtocols: [9, 9, 1],
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

export function versionText(version: OntapVersion): string {
  const minor = version.minor === 0 ? "" : `.${version.minor.toString()}`;
  return `${version.generation.toString()}.${version.major.toString()}${minor}`;
}
