import type { PlannedGuest } from "../bed/guest-plan";
import type { Site } from "../bed/site";
import { databaseSocket } from "../templates/sysbench-bootstrap";
import { templateOf } from "./machines";

/** How the provider reaches a guest: by reference to the key, with the template's host key pinned. */
export function guestAddress(site: Site, guest: PlannedGuest) {
  const template = templateOf(site, guest.template);
  const root = guestRoot(site, guest);
  return {
    name: guest.name,
    host: guest.address,
    port: site.guests.sshPort,
    user: template.user,
    privateKey: site.guests.privateKey,
    hostKey: template.hostKey,
    // The machine that lends its shell to such a guest may well run systemd: it is not the guest's.
    ...(root === "" ? {} : { workRoot: `${root}/var/lib/sanbed`, supervisor: "session" as const }),
  };
}

/** Socket of a guest's database server; undefined: where the template's MariaDB has it. */
export function guestSocket(site: Site, guest: PlannedGuest): string | undefined {
  const root = guestRoot(site, guest);
  return root === "" ? undefined : databaseSocket(root);
}

/** Root folder of a guest that has no root of its own (lab level C); else empty. */
export function guestRoot(site: Site, guest: PlannedGuest): string {
  const roots = site.lab?.guestRoots;
  return roots === undefined ? "" : `${roots}/${guest.address}`;
}

/** Whether disks are block devices in the guest; at levels B and C of the lab they are folders. */
export function hasBlockDevices({ lab }: Site): boolean {
  return lab === undefined || lab.level === "A";
}
