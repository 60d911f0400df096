/** What a video model of DashScope takes (docs/providers/dashscope.md#videos). */
export interface WanRules {
  readonly kind: "t2v" | "i2v" | "r2v" | "edit";
  /** `input.media`, `resolution` and `ratio`; else `input.img_url` and its like, and `size`. */
  readonly media: boolean;
  /** HappyHorse has its own numbers of pictures. */
  readonly horse: boolean;
  /** Of Wan; 0 for HappyHorse. */
  readonly version: number;
  /** As `parameters.resolution` writes them. */
  readonly resolutions: readonly string[];
  /** Whole seconds from the first to the second, or these alone. */
  readonly seconds: readonly [from: number, to: number] | readonly number[];
  readonly fixedSeconds: boolean;
}

const NAME = /^(?:wanx?(\d+\.\d+)|(happyhorse)-\d+\.\d+)-(t2v|i2v|r2v|video-?edit)(-us)?/;
/** From here on Wan takes `input.media`. */
const FIRST_WITH_MEDIA = 2.7;

/** @param id the provider's own; what is not known here is taken for the newest that makes films of texts. */
export function wanRules(id: string): WanRules {
  const [, number, horse, word = "t2v", us] = NAME.exec(id) ?? [];
  const version = number === undefined ? (horse === undefined ? FIRST_WITH_MEDIA : 0) : Number(number);
  const media = horse !== undefined || version >= FIRST_WITH_MEDIA;
  const kind = word.startsWith("video") ? "edit" : (word as "t2v" | "i2v" | "r2v");
  const seconds = secondsFor(version, kind, us !== undefined);
  return {
    kind,
    media,
    horse: horse !== undefined,
    version,
    resolutions: media || version >= 2.6 ? ["720P", "1080P"] : ["480P", "720P", "1080P"],
    ...seconds,
  };
}

function secondsFor(version: number, kind: WanRules["kind"], us: boolean): Pick<WanRules, "seconds" | "fixedSeconds"> {
  if (us) return { seconds: [5, 10, 15], fixedSeconds: true };
  if (version === 0) return { seconds: [3, 15], fixedSeconds: false };
  if (version < 2.5) return { seconds: [5], fixedSeconds: true };
  if (version < 2.6) return { seconds: [5, 10], fixedSeconds: true };
  const short = kind === "edit" || (kind === "r2v" && version < FIRST_WITH_MEDIA);
  return { seconds: [2, short ? 10 : 15], fixedSeconds: false };
}
