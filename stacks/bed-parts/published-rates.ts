/**
 * Published rates, for estimates of duration and data written only: Sysbench transactions per second
 * of all guests by number of guests, and the peak of each Vdbench profile in requests per second.
 * Rounded where the review rounds. What is missing is not printed there.
 */
export interface PublishedRates {
  readonly sysbenchTps: Readonly<Record<string, number>>;
  readonly vdbenchIops: Readonly<Record<string, number>>;
  /**
   * Guests of a Sysbench case (`8`) and profiles whose figure the translation displaced and that was
   * put back. All others can be read as they stand.
   */
  readonly reconstructed: readonly string[];
  /** By profile: what the review contradicts itself in, and nothing settles. */
  readonly conflicts?: Readonly<Record<string, string>>;
}

const profileNames = [
  "random-read-4k",
  "random-write-4k",
  "seq-read-64k",
  "seq-write-64k",
  "sql",
  "sql-90-10",
  "sql-80-20",
  "oracle",
  "oracle-90-10",
  "oracle-80-20",
  "vdi-fc-boot",
  "vdi-fc-initial-login",
  "vdi-fc-monday-login",
  "vdi-lc-boot",
  "vdi-lc-initial-login",
  "vdi-lc-monday-login",
] as const;

export type ProfileName = (typeof profileNames)[number];

/** Peaks in the order of the profiles; undefined where the review prints none. */
function peaks(...iops: readonly (number | undefined)[]): Record<string, number> {
  return Object.fromEntries(
    profileNames.flatMap((name, index) => {
      const peak = iops[index];
      return peak === undefined ? [] : [[name, peak]];
    }),
  );
}

export const publishedRates = {
  /** NetApp AFF A250 review, NVMe/FC. */
  a250Nvme: {
    sysbenchTps: { "8": 15_916, "16": 17_537 },
    vdbenchIops: peaks(
      ...[787_910, 183_805, 110_100, 47_000, 416_617, 388_589, 314_616, 329_112],
      ...[407_087, 335_577, 263_683, 98_897, 103_184, 146_660, 76_386, 75_259],
    ),
    reconstructed: ["8", "16", ...profileNames],
  },
  /** NetApp AFF A250 review, FCP. */
  a250Fcp: {
    sysbenchTps: { "8": 13_135, "16": 16_149 },
    vdbenchIops: peaks(
      ...[594_388, 169_543, 114_060, 41_000, 348_403, 321_604, 263_157, 263_802],
      ...[333_108, 273_948, 229_571, 90_270, 93_574, 151_953, 67_557, 68_751],
    ),
    reconstructed: ["8", "16", ...profileNames],
  },
  /** NetApp AFF A250 review, comparison. */
  a200: { sysbenchTps: { "8": 8_871, "16": 9_035 }, vdbenchIops: {}, reconstructed: ["8", "16"] },
  ef570: {
    sysbenchTps: { "8": 22_951, "16": 39_635, "32": 57_347 },
    vdbenchIops: peaks(
      ...[1_030_000, 223_000, 247_692, 80_675, 1_029_910, 876_833, 740_691, 721_615],
      ...[875_567, 738_238, 841_945, 262_141, 331_146, 519_975, 269_995, 299_663],
    ),
    reconstructed: [
      "16",
      "random-read-4k",
      "random-write-4k",
      "seq-read-64k",
      "sql",
      "sql-90-10",
      "vdi-fc-boot",
      "vdi-fc-initial-login",
      "vdi-fc-monday-login",
      "vdi-lc-monday-login",
    ],
  },
  a800: {
    sysbenchTps: { "8": 15_750.8, "16": 22_170.9, "32": 44_149.8 },
    vdbenchIops: peaks(
      ...[1_219_829, 439_000, 302_668, 80_536, 697_603, 730_567, 623_557, 656_438],
      ...[759_117, 666_556, 579_786, 254_888, 228_346, 460_366, 166_224, 164_684],
    ),
    reconstructed: [
      "8",
      "16",
      "32",
      "random-read-4k",
      "seq-read-64k",
      "sql",
      "oracle",
      "oracle-90-10",
      "vdi-fc-boot",
      "vdi-fc-initial-login",
      "vdi-lc-boot",
      "vdi-lc-monday-login",
    ],
  },
  /** NetApp AFF A800 review, comparison. */
  a300: {
    conflicts: {
      "seq-read-64k":
        "the review contradicts itself: 84,766 requests per second and 5.71 GB/s, which are 91,360; nothing settles which is off",
    },
    sysbenchTps: { "32": 22_313 },
    vdbenchIops: peaks(
      ...[635_342, 208_820, 84_766, 48_883, 488_488, 416_370, 360_642, 340_391],
      ...[417_869, 362_499, 300_128, 123_984, 131_628, 215_621, 95_296, 94_722],
    ),
    reconstructed: ["random-read-4k", "seq-write-64k", "vdi-fc-monday-login"],
  },
  af250s2: {
    sysbenchTps: { "4": 8_336, "8": 12_447, "16": 15_595, "24": 17_237 },
    vdbenchIops: peaks(
      ...[221_327, 187_167, 79_495, 26_201, 238_000, 222_000, 218_000, 212_000],
      ...[225_000, 214_000, 210_000, 123_835, 135_978, 186_477, 77_278, 82_460],
    ),
    reconstructed: [],
  },
  /** Fujitsu ETERNUS AF250 S2 review, comparison. */
  af250: {
    sysbenchTps: {},
    vdbenchIops: peaks(
      ...[158_000, 137_000, undefined, 27_623, 156_638, 186_021, 176_789, 172_811],
      ...[181_813, 174_519, 152_469, 113_865, 118_884, 144_317, 79_496, 80_703],
    ),
    reconstructed: [],
  },
  xs5226d: {
    sysbenchTps: { "4": 6_889, "8": 13_023, "16": 21_645, "32": 26_810.4 },
    vdbenchIops: peaks(
      ...[442_075, 294_255, 95_762, 80_000, 425_327, 407_661, 387_085, 381_444],
      ...[407_763, 386_844, 367_665, 260_000, 269_724, 216_579, 182_425, 220_000],
    ),
    reconstructed: [
      "8",
      "16",
      "32",
      ...profileNames.filter((name) => name !== "vdi-lc-initial-login"),
    ],
  },
  /** QSAN XCubeSAN XS5226D review, comparison. */
  xs1226d: {
    sysbenchTps: {},
    vdbenchIops: peaks(
      ...[284_000, 246_000, undefined, undefined, undefined, undefined, 247_000, 246_186],
      ...[248_759, 242_000, 218_000, 185_787, 182_376, 149_488, 147_423, 148_738],
    ),
    reconstructed: profileNames,
  },
} as const satisfies Readonly<Record<string, PublishedRates>>;
