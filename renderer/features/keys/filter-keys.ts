import type { KeyView } from "../../../gateway/contract/key.ts";

export const keyStates = ["active", "disabled", "expired", "spent"] as const satisfies readonly KeyView["state"][];

/** Filters keys by the address: `q` in name, hint or models, and `state`. */
export function filterKeys(keys: readonly KeyView[], params: URLSearchParams): readonly KeyView[] {
  const query = (params.get("q") ?? "").trim().toLowerCase();
  const state = params.get("state");
  if (query === "" && state === null) return keys;
  return keys.filter(
    (key) =>
      (state === null || key.state === state) &&
      [key.name, key.hint, ...(key.models ?? [])].some((text) => text.toLowerCase().includes(query)),
  );
}
