import type { MediaView } from "../../../gateway/contract/media.ts";

/** A difference between two results: its name, and both values as text; empty if missing. */
export interface Difference {
  readonly name: string;
  readonly values: readonly [string, string];
}

/** Returns the parameters that differ between two results' requests, in request order. */
export function differingParameters(a: MediaView, b: MediaView): readonly Difference[] {
  const [first, second] = [getParameters(a), getParameters(b)];
  const names = new Set([...first.keys(), ...second.keys()]);
  return [...names].flatMap((name) => {
    const values = [first.get(name) ?? "", second.get(name) ?? ""] as const;
    return values[0] === values[1] ? [] : [{ name, values }];
  });
}

function getParameters({ origin }: MediaView): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(origin?.parameters ?? {}).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}
