/**
 * Whether a second start brings the window of the first to the front. Who asked for no window gets none. Nothing else in
 * the arguments is acted on: they may come from a link that somebody else made.
 * @param argv of the second process, as Electron hands it over: Chromium's own switches among them.
 */
export function shouldShowWindow(argv: readonly string[]): boolean {
  return !argv.includes("--headless");
}
