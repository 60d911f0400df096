#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { isStale, projectFolder, targets } from "./launch/targets.mjs";

/**
 * The `postern` command. Runs from its bundle where that is up to date, because a bundle with compiled code starts
 * in half the time; from its sources otherwise. It never builds: it only talks to a Postern that is running.
 */

const target = targets.command;
const bundle = join(projectFolder, target.folder, "postern.mjs");
const fromBundle = existsSync(bundle) && !isStale(target);
if (fromBundle) module.enableCompileCache(join(projectFolder, "out/.cache"));
const file = new URL(fromBundle ? `../${target.folder}/postern.mjs` : "./launch/postern.ts", import.meta.url).href;

/** @type {typeof import("./launch/postern.ts")} */
const { runPostern } = await import(file);

// `postern usage | head` closes the pipe early; that is no failure.
process.stdout.on("error", () => process.exit());

process.exitCode = await runPostern(process.argv.slice(2), process.env, {
  input: process.stdin,
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
});
