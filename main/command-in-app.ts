import { runPostern } from "./launch/postern.ts";
import { nameCommand } from "./name-command.ts";

/**
 * The `postern` command of an installed app. Electron waits for this module before it opens a display, a profile or a
 * lock, so the command runs without them and exits first.
 */
nameCommand();
// No script precedes the executable's options.
process.env["POSTERN_LAUNCHER"] ??= "";

/** Resolves when the line has left this process. */
const writes: Promise<void>[] = [];
const writeTo = (stream: NodeJS.WriteStream) => (line: string) =>
  void writes.push(new Promise((resolve) => stream.write(`${line}\n`, () => resolve())));

// `postern usage | head` closes the pipe early; that is no failure.
process.stdout.on("error", () => process.exit());

const code = await runPostern(process.argv.slice(1), process.env, {
  input: process.stdin,
  out: writeTo(process.stdout),
  error: writeTo(process.stderr),
});
await Promise.all(writes);
process.exit(code);
