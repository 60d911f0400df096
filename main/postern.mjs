#!/usr/bin/env node
/**
 * The `postern` command. Runs from its bundle if that is current, because a bundle with compiled code starts in a
 * quarter of the time; else from its sources. It never builds, and only talks to a running Postern.
 */
const NODE_MAJOR = 24;

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
  const { findOwnNode, runUnderOwnNode } = await import("./launch/own-node.mjs");
  process.exit(await runUnderOwnNode(findOwnNode(NODE_MAJOR), process.argv.slice(1)));
}

const { isStale, projectFolder, targets } = await import("./launch/targets.mjs");
const { createRequire, enableCompileCache } = process.getBuiltinModule("node:module");

/** @returns {Promise<typeof import("./launch/postern.ts")>} */
async function loadCommand() {
  if (isStale(targets.command)) return import("./launch/postern.ts");
  enableCompileCache(`${projectFolder}/out/.cache`);
  return createRequire(import.meta.url)(`../${targets.command.folder}/postern.cjs`);
}

process.env["POSTERN_LAUNCHER"] ??= `${projectFolder}/main/start.mjs`;
const { runPostern } = await loadCommand();

// `postern usage | head` closes the pipe early; that is no failure.
process.stdout.on("error", () => process.exit());

process.exitCode = await runPostern(process.argv.slice(2), process.env, {
  input: process.stdin,
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
});
