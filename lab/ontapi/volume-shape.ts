import { leaves, type Shape } from "./shape";

/** Attributes of a FlexVol (`volume-attributes`). Those that a SAN volume has no use for are named only. */
export const volumeShape: Shape = {
  ...leaves("encrypt encryption-state"),
  "volume-antivirus-attributes": leaves("on-access-policy"),
  "volume-autosize-attributes": leaves(
    "grow-threshold-percent increment-percent increment-size is-enabled maximum-size minimum-size mode " +
      "reset shrink-threshold-percent",
  ),
  "volume-comp-aggr-attributes": leaves("tiering-policy"),
  "volume-export-attributes": leaves("policy"),
  "volume-id-attributes": {
    ...leaves(
      "comment containing-aggregate-name containing-aggregate-uuid creation-time dsid fsid " +
        "instance-uuid junction-parent-name junction-path msid name name-ordinal node " +
        "owning-vserver-name owning-vserver-uuid provenance-uuid style style-extended type uuid " +
        // Not in the documentation; na_ontap_volume has queried by it on every release.
        "vserver",
    ),
    "aggr-list": leaves("aggr-name"),
    nodes: leaves("node-name"),
  },
  "volume-inode-attributes": leaves("block-type files-total files-used"),
  "volume-language-attributes": leaves("language language-code"),
  "volume-mirror-attributes": leaves("is-data-protection-mirror is-replica-volume"),
  "volume-performance-attributes": leaves("is-atime-update-enabled"),
  "volume-qos-attributes": leaves("adaptive-policy-group-name policy-group-name"),
  "volume-security-attributes": {
    ...leaves("style"),
    "volume-security-unix-attributes": leaves("group-id permissions user-id"),
  },
  "volume-sis-attributes": leaves(
    "compression-space-saved deduplication-space-saved deduplication-space-shared " +
      "is-sis-logging-enabled is-sis-state-enabled is-sis-volume " +
      "percentage-compression-space-saved percentage-deduplication-space-saved " +
      "percentage-total-space-saved total-space-saved",
  ),
  "volume-snapshot-attributes": leaves(
    "auto-snapshots-enabled snapdir-access-enabled snapshot-clone-dependency-enabled " +
      "snapshot-count snapshot-policy",
  ),
  "volume-snapshot-autodelete-attributes": leaves(
    "commitment defer-delete delete-order destroy-list is-autodelete-enabled prefix " +
      "target-free-space trigger",
  ),
  "volume-space-attributes": leaves(
    "filesystem-size is-filesys-size-fixed is-space-guarantee-enabled is-space-slo-enabled " +
      "over-provisioned percentage-fractional-reserve percentage-size-used " +
      "percentage-snapshot-reserve percentage-snapshot-reserve-used physical-used size " +
      "size-available size-available-for-snapshots size-total size-used size-used-by-snapshots " +
      "snapshot-reserve-available snapshot-reserve-size space-guarantee space-mgmt-option-try-first " +
      "space-slo",
  ),
  "volume-state-attributes": leaves(
    "in-nvfailed-state is-cluster-volume is-constituent is-inconsistent is-invalid " +
      "is-junction-active is-moving is-node-root is-nvfail-enabled is-quiesced-in-memory " +
      "is-quiesced-on-disk is-unrecoverable is-volume-in-cutover is-vserver-root state",
  ),
  "volume-vserver-dr-protection-attributes": leaves("vserver-dr-protection"),
};
