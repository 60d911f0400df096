import type { Context } from "../state.ts";

/** What Google's clients ask below `/v1` is what others ask below `/v1beta`: the routes know the second alone. */
export function enterBeta(context: Context): void {
  const { path, state } = context;
  if (state.family === "google" && path.startsWith("/v1/")) context.path = `/v1beta/${path.slice("/v1/".length)}`;
}
