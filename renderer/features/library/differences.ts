import type { MediaView } from "../../../gateway/contract/media.ts";

/** Something in which two results differ: a name, and each one's value as text; empty where it has none. */
export interface Difference {
  readonly name: string;
  readonly values: readonly [string, string];
}

/** The parameters in which the requests of two results differ, by their names, in the order in which they were sent. */
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
