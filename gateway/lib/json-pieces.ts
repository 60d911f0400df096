import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonScan, LongList } from "./json-scan.ts";

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** After so many bytes others have a turn of the event loop. */
const TURN_BYTES = 512 * 1_024;

/**
 * Parses like `JSON.parse`, in turns of the event loop: the long lists at the top level piece by piece. It takes less time,
 * too: V8 makes texts of some kilobytes where it has made others before.
 * @param json not to be used by others meanwhile.
 * @throws SyntaxError that of `JSON.parse`.
 */
export async function parseInPieces(json: Buffer, { lists, topMembers }: JsonScan): Promise<unknown> {
  try {
    const top = shell(json, lists);
    // The later of two members with one name counts, and the scan does not tell which of them was cut.
    if (Object.keys(top).length !== topMembers) return JSON.parse(json.toString());
    let parsed = 0;
    for (const { name, cuts } of lists) {
      const items = top[JSON.parse(json.toString("utf8", name[0], name[1] + 1)) as string] as unknown[];
      for (let index = 1; index < cuts.length; index += 1) {
        const [from, to] = [cuts[index - 1] as number, cuts[index] as number];
        const piece = parsePiece(json, from, to);
        if (piece.length === 0) throw new SyntaxError("nothing stands between two commas");
        for (const item of piece) items.push(item);
        parsed += to - from;
        if (parsed < TURN_BYTES) continue;
        parsed = 0;
        await nextTurn();
      }
    }
    return top;
  } catch {
    // The error then has the message and the position of the whole text.
    return JSON.parse(json.toString());
  }
}

/** The object at the top, its long lists empty. @throws SyntaxError */
function shell(json: Buffer, lists: readonly LongList[]): Record<string, unknown> {
  let text = "";
  let from = 0;
  for (const { cuts } of lists) {
    text += json.toString("utf8", from, (cuts[0] as number) + 1);
    from = cuts.at(-1) as number;
  }
  return JSON.parse(text + json.toString("utf8", from)) as Record<string, unknown>;
}

/** The items between two commas or brackets, which are brackets for a moment: putting them around a text would copy it. */
function parsePiece(json: Buffer, from: number, to: number): readonly unknown[] {
  const [before, behind] = [json[from] as number, json[to] as number];
  json[from] = OPEN_ARRAY;
  json[to] = CLOSE_ARRAY;
  const text = json.toString("utf8", from, to + 1);
  json[from] = before;
  json[to] = behind;
  return JSON.parse(text) as readonly unknown[];
}
