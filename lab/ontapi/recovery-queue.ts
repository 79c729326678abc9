import { purge, queueEntries, retentionHours } from "../ontap/recovery-queue";
import { type Api, type Apis, command } from "./api";
import { errno, ZapiFault } from "./faults";
import { visible } from "./fcp";
import { requiredText } from "./inputs";
import { leaves } from "./shape";

const getIter: Api = {
  scope: "both",
  record: "volume-recovery-queue-info",
  shape: leaves("deletion-time retention-period volume-name vserver-name"),
  keys: ["vserver-name", "volume-name"],
  list: (call) => {
    const seen = new Map(visible(call).map((svm) => [svm.id, svm.name]));
    return queueEntries(call.ctx).flatMap((entry) => {
      const vserver = seen.get(entry.svmId);
      if (vserver === undefined) return [];
      return [
        {
          "deletion-time": Math.floor(entry.deletedAtMs / 1000),
          "retention-period": retentionHours(call.ctx, entry.svmId),
          "volume-name": entry.volume,
          "vserver-name": vserver,
        },
      ];
    });
  },
};

/** Deleted FlexVols that still occupy their aggregate. */
export const recoveryQueueApis: Apis = {
  "volume-recovery-queue-get-iter": getIter,
  "volume-recovery-queue-purge": command(
    "both",
    { "vserver-name": requiredText, "volume-name": requiredText },
    (call) => {
      const { ctx, args } = call;
      const svm = visible(call).find((one) => one.name === args.need("vserver-name"));
      if (svm === undefined) throw new ZapiFault(errno.noVserver, "Specified vserver not found");
      const entry = queueEntries(ctx).find(
        (one) => one.svmId === svm.id && one.volume === args.need("volume-name"),
      );
      if (entry === undefined) throw new ZapiFault(errno.notFound, "entry doesn't exist");
      purge(ctx, entry.id);
      return {};
    },
  ),
};
