import type { BadRange } from "./disk/line.ts";

/** The kind of damage to bytes that were lines, judged by their present content. */
export interface Damage {
  /** Whether the damage is only a truncated last line, as left by a kill or a power cut. */
  readonly torn: boolean;
  /** Goes on after the name of the file and "is damaged: ". */
  readonly words: string;
}

/** Stretches that lie in `bytes` one after another, each by itself. */
export function cutStretches(bytes: Buffer, stretches: readonly Pick<BadRange, "start" | "end">[]): Buffer[] {
  let from = 0;
  return stretches.map(({ start, end }) => {
    const part = bytes.subarray(from, from + end - start);
    from += end - start;
    return part;
  });
}

type Kind = "cut" | "zeros" | "changed" | "foreign";

/**
 * Classifies bytes that are not valid lines, so that the notice states the cause.
 * @param parts ranges of such bytes, in file order
 * @param atEnd whether the last of them ends the file without a newline
 */
export function describeDamage(parts: readonly Buffer[], atEnd: boolean): Damage {
  const found: Record<Kind, { parts: number; bytes: number }> = {
    cut: { parts: 0, bytes: 0 },
    zeros: { parts: 0, bytes: 0 },
    changed: { parts: 0, bytes: 0 },
    foreign: { parts: 0, bytes: 0 },
  };
  for (const [index, part] of parts.entries()) {
    const kind = getKind(part, atEnd && index === parts.length - 1);
    found[kind].parts += 1;
    found[kind].bytes += kind === "zeros" ? zerosAtEnd(part) : part.length;
  }
  const { cut, zeros, changed, foreign } = found;
  const clauses = [
    ...(changed.parts > 0
      ? [`${countNoun(changed.parts, "line")} of it ${changed.parts === 1 ? "was" : "were"} changed`]
      : []),
    ...(foreign.parts > 0 ? [`${countNoun(foreign.bytes, "byte")} in it are nothing that Postern wrote`] : []),
    ...(zeros.parts > 0 ? [`${countNoun(zeros.bytes, "byte")} of it are zeros`] : []),
    ...(cut.parts > 0 ? ["its last line was not written to its end"] : []),
  ];
  return { torn: cut.parts === 1 && parts.length === 1, words: clauses.join(", ") };
}

function getKind(part: Buffer, atEnd: boolean): Kind {
  if (part.length > 0 && zerosAtEnd(part) * 2 >= part.length) return "zeros";
  // The checksum, a space and the start of a JSON object, as far as present.
  const beginning = part.toString("latin1", 0, 10);
  const isOurs = beginning.length < 10 ? /^[0-9a-f]{0,8} ?$/.test(beginning) : beginning.startsWith(" {", 8);
  if (!isOurs) return "foreign";
  return atEnd ? "cut" : "changed";
}

/** Returns the offset after trailing zeros and their newline, where the next line starts. */
function zerosAtEnd(part: Buffer): number {
  let end = part.length;
  if (part[end - 1] === 0x0a) end -= 1;
  let at = end;
  while (at > 0 && part[at - 1] === 0) at -= 1;
  return end - at;
}

const countNoun = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
