import type { Context } from "../state.ts";

/** Google's clients use `/v1` or `/v1beta` for the same operations: the routes only have the latter. */
export function enterBeta(context: Context): void {
  const { path, state } = context;
  if (state.family === "google" && path.startsWith("/v1/")) context.path = `/v1beta/${path.slice("/v1/".length)}`;
}
