/**
 * Deleted FlexVols stay for twelve hours under `<name>_<number>` and keep their space (ONTAP volume
 * recovery queue).
 */

/** Name that the volume of an entry had before it was deleted. Pure. */
export function volumeOfEntry(entry: string): string | undefined {
  return /^(.+)_\d+$/.exec(entry)?.[1];
}

/** Entries of a deleted volume: its name and a decimal number. `<name>_x` is somebody else's. Pure. */
export function entriesOf(queue: readonly string[], volumes: readonly string[]): readonly string[] {
  const names = new Set(volumes);
  return queue.filter((entry) => {
    const volume = volumeOfEntry(entry);
    return volume !== undefined && names.has(volume);
  });
}
