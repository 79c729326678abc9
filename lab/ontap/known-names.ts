import type { Since } from "./release";
import { type Field, other } from "./shape";

/**
 * Names that a release has and that this emulator never fills: clients may ask for them. From the
 * resource descriptions of `netapp-ontap` 9.8.0, 9.9.1.0 and 9.12.1.0; what came between two profiles
 * counts from the later one.
 */
interface Known {
  readonly fields: Readonly<Record<string, Field>>;
  readonly since: Readonly<Record<string, Since>>;
}

function known(byRelease: Readonly<Partial<Record<Since, string>>>): Known {
  const pairs = Object.entries(byRelease).flatMap(([release, names]) =>
    names.split(/\s+/).map((name) => [name, release as Since] as const),
  );
  return {
    fields: Object.fromEntries(pairs.map(([name]) => [name, other()])),
    since: Object.fromEntries(pairs.filter(([, release]) => release !== "9.8")),
  };
}

export const volumeNames = known({
  "9.8":
    "efficiency.application_io_size efficiency.schedule encryption.key_id encryption.rekey " +
    "encryption.state encryption.status space.block_storage_inactive_user_data " +
    "space.capacity_tier_footprint space.footprint space.local_tier_footprint space.metadata " +
    "space.performance_tier_footprint space.total_footprint statistics.cloud " +
    "statistics.flexcache_raw tiering.object_tags",
  "9.9.1":
    "constituents efficiency.last_op_begin efficiency.last_op_end efficiency.last_op_err " +
    "efficiency.last_op_size efficiency.last_op_state efficiency.op_state efficiency.path " +
    "efficiency.progress efficiency.type space.afs_total space.available_percent " +
    "space.block_storage_inactive_user_data_percent space.full_threshold_percent " +
    "space.nearly_full_threshold_percent space.overwrite_reserve space.overwrite_reserve_used " +
    "space.percent_used space.size_available_for_snapshots space.snapshot.reserve_size " +
    "space.snapshot.space_used_percent space.used_by_afs",
  "9.12.1":
    "activity_tracking anti_ransomware anti_ransomware_state asynchronous_directory_delete " +
    "convert_unicode efficiency.auto_state efficiency.compression_type efficiency.has_savings " +
    "efficiency.logging_enabled efficiency.scanner efficiency.space_savings " +
    "efficiency.storage_efficiency_mode encryption.key_create_time flash_pool flexgroup " +
    "granular_data idcs_scanner max_dir_size msid rebalancing scheduled_snapshot_naming_scheme " +
    "snapshot_count snapshot_locking_enabled space.cross_volume_dedupe_metafiles_footprint " +
    "space.dedupe_metafiles_footprint space.delayed_free_footprint " +
    "space.effective_total_footprint space.expected_available space.file_operation_metadata " +
    "space.filesystem_size space.filesystem_size_fixed space.is_used_stale " +
    "space.large_size_enabled space.physical_used space.physical_used_percent " +
    "space.snapmirror_destination_footprint space.snapshot.autodelete_trigger " +
    "space.snapshot.reserve_available space.snapshot_reserve_unusable space.snapshot_spill " +
    "space.user_data space.volume_guarantee_footprint statistics.cifs_ops_raw " +
    "statistics.nfs_ops_raw",
});

export const svmNames = known({
  "9.8": "cifs.ad_domain cifs.name",
  "9.12.1":
    "aggregates.available_size aggregates.snaplock_type aggregates.state aggregates.type " +
    "anti_ransomware_default_volume_state auto_enable_activity_tracking auto_enable_analytics " +
    "is_space_enforcement_logical is_space_reporting_logical ndmp.allowed",
});

export const aggregateNames = known({
  "9.8":
    "block_storage.hybrid_cache.disk_count block_storage.hybrid_cache.raid_type " +
    "block_storage.hybrid_cache.size block_storage.hybrid_cache.used " +
    "inactive_data_reporting.start_time space.efficiency_without_snapshots",
  "9.9.1": "space.block_storage.physical_used space.efficiency_without_snapshots_flexclones",
  "9.12.1":
    "block_storage.storage_type block_storage.uses_partitions inode_attributes is_spare_low " +
    "recommendation_spares sidl_enabled snapshot space.snapshot volume_count",
});

export const nodeNames = known({
  "9.8":
    "ha.giveback.failure ha.ports ha.takeover.failure metrocluster system_machine_type " +
    "vendor_serial_number vm",
  "9.9.1": "nvram",
  "9.12.1": "external_cache ha.giveback.status ha.interconnect hw_assist is_spares_low snaplock",
});

export const diskNames = known({
  "9.9.1": "bytes_per_sector effective_type error local outage paths sector_count stats",
  "9.12.1":
    "compliance_standard control_standard overall_security physical_size right_size_sector_count " +
    "storage_pool virtual",
});

export const lunNames = known({
  "9.12.1": "attributes consistency_group copy space.scsi_thin_provisioning_support_enabled vvol",
});

export const igroupNames = known({
  "9.8": "initiators.igroup",
  "9.12.1": "connectivity_tracking initiators.connectivity_tracking target",
});
