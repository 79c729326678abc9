import { NotModelled } from "../ontap/faults";
import { efficiencyOf } from "../ontap/volume-rules";
import type { JsonObject } from "../world/state";
import { type Api, type Apis, command, type ZapiCall } from "./api";
import { errno, ZapiFault } from "./faults";
import { visible } from "./fcp";
import { type Args, boolean, requiredText, text, unmodelled } from "./inputs";
import { leaves } from "./shape";
import { patch } from "./volume-changes";
import { volumeOf } from "./volumes";
import type { ZNode } from "./xml";

const getIter: Api = {
  scope: "both",
  record: "sis-status-info",
  shape: leaves(
    "blocks-skipped-sharing changelog-size changelog-used-percent is-compression-enabled " +
      "is-constituent is-cross-volume-background-dedupe-enabled " +
      "is-cross-volume-inline-dedupe-enabled is-data-compaction-enabled is-idd-enabled " +
      "is-inline-compression-enabled is-inline-dedupe-enabled last-op-begin-timestamp " +
      "last-op-end-timestamp last-op-error last-op-size last-op-state logical-data-limit " +
      "logical-data-size minimum-blocks-shared path policy progress quick-check-fsize " +
      "queued-job-type schedule state status type vserver",
  ),
  keys: ["vserver", "path"],
  list: (call) =>
    visible(call).flatMap((svm) =>
      Object.values(call.ctx.view.containers)
        .filter((volume) => volume.tenantId === svm.id && volume.online)
        .filter((volume) => volume.attributes["isRoot"] !== true)
        .map((volume) => ({
          ...flags(efficiencyOf(volume)),
          path: `/vol/${volume.name}`,
          state: volume.attributes["efficiencyOff"] === true ? "disabled" : "enabled",
          status: "idle",
          progress: "Idle for 00:10:00",
          type: "regular",
          vserver: svm.name,
        })),
    ),
};

/** Storage efficiency of FlexVols. On an all-flash system new volumes have all of it. */
export const efficiencyApis: Apis = {
  "sis-get-iter": getIter,
  "sis-enable": command("vserver", { path: requiredText }, (call) => setEnabled(call, true)),
  "sis-disable": command("vserver", { path: requiredText }, (call) => setEnabled(call, false)),
  "sis-set-config": command(
    "vserver",
    {
      path: requiredText,
      "policy-name": text,
      schedule: unmodelled,
      "enable-compression": boolean,
      "enable-inline-compression": boolean,
      "enable-inline-dedupe": boolean,
      "enable-data-compaction": boolean,
      "enable-cross-volume-inline-dedupe": boolean,
      "enable-cross-volume-background-dedupe": boolean,
      "enable-idd": unmodelled,
      "quick-check-fsize": unmodelled,
    },
    setConfig,
  ),
};

/** `none`, `inline`, `background`, `both` of the cluster as the two switches of ONTAPI. */
function isSet(settings: JsonObject, name: string, part: "inline" | "background"): boolean {
  return settings[name] === part || settings[name] === "both";
}

function flags(settings: JsonObject): ZNode {
  const policy = settings["policy"] as JsonObject | undefined;
  return {
    "is-compression-enabled": settings["compression"] !== "none",
    "is-cross-volume-background-dedupe-enabled": isSet(
      settings,
      "cross_volume_dedupe",
      "background",
    ),
    "is-cross-volume-inline-dedupe-enabled": isSet(settings, "cross_volume_dedupe", "inline"),
    "is-data-compaction-enabled": settings["compaction"] === "inline",
    "is-inline-compression-enabled": isSet(settings, "compression", "inline"),
    "is-inline-dedupe-enabled": isSet(settings, "dedupe", "inline"),
    policy: typeof policy?.["name"] === "string" ? policy["name"] : "auto",
  };
}

function volumeName(args: Args): string {
  const [, vol, name = ""] = args.need("path").split("/");
  if (vol !== "vol" || name === "") {
    throw new ZapiFault(errno.invalid, `"${args.need("path")}" is no path /vol/<volume>`);
  }
  return name;
}

function setEnabled(call: ZapiCall, enabled: boolean): ZNode {
  const volume = volumeOf(call, volumeName(call.args));
  if (!volume.online) throw new ZapiFault(errno.volumeOffline, "The volume is offline.");
  const isOn = volume.attributes["efficiencyOff"] !== true;
  if (isOn === enabled) {
    const [number, word] = enabled ? ["40043", "enabled"] : ["40044", "disabled"];
    throw new ZapiFault(number, `Sis is already ${word} on "${volume.name}".`);
  }
  call.ctx.change((array) => {
    const target = array.containers[volume.id];
    if (target !== undefined) target.attributes["efficiencyOff"] = !enabled;
  });
  return {};
}

function setConfig(call: ZapiCall): Promise<ZNode> {
  const { args } = call;
  const volume = volumeOf(call, volumeName(args));
  if (volume.attributes["efficiencyOff"] === true) {
    throw new ZapiFault(errno.general, `Sis is not enabled on "${volume.name}".`);
  }
  const before = efficiencyOf(volume);
  const has = flagOr(args, before);
  const policy = args.text("policy-name");
  const present = (before["policy"] as JsonObject | undefined)?.["name"];
  const inBackground = (policy ?? present) !== "inline-only";
  return patch(call, volume.name, {
    efficiency: {
      compression: compression(args, before),
      dedupe: words(has("enable-inline-dedupe", "dedupe", "inline"), inBackground),
      compaction: has("enable-data-compaction", "compaction", "inline") ? "inline" : "none",
      cross_volume_dedupe: words(
        has("enable-cross-volume-inline-dedupe", "cross_volume_dedupe", "inline"),
        has("enable-cross-volume-background-dedupe", "cross_volume_dedupe", "background"),
      ),
      ...(policy === undefined ? {} : { policy: { name: policy } }),
    },
  });
}

/** A switch as the call sets it, else as it is. */
function flagOr(
  args: Args,
  before: JsonObject,
): (input: string, name: string, part: "inline" | "background") => boolean {
  return (input, name, part) => args.flag(input) ?? isSet(before, name, part);
}

function compression(args: Args, before: JsonObject): string {
  const on = args.flag("enable-compression") ?? before["compression"] !== "none";
  const inline = args.flag("enable-inline-compression") ?? isSet(before, "compression", "inline");
  if (args.flag("enable-inline-compression") === true && !on) {
    // "compression must be enabled either in this API call or by a previous call" (SDK).
    throw new ZapiFault(errno.invalid, "Compression must be enabled for inline compression.");
  }
  if (on && !inline) throw new NotModelled("compression in the background only");
  return on ? "inline" : "none";
}

function words(inline: boolean, background: boolean): string {
  if (inline && background) return "both";
  return inline ? "inline" : background ? "background" : "none";
}
