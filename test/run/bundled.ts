import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "vite";
import { SHORT, THREADS } from "../../main/launch/bundle.mjs";
import { fingerprint, projectFolder } from "../../main/launch/targets.mjs";

const FOLDER = join(projectFolder, "node_modules/.cache/test-programs");

/**
 * A program of the tests in one file, made again when a source has changed: to load hundreds of sources takes most of the
 * time of a process that lives for a moment.
 * @param entry below the project's folder
 * @param electron the module that stands in for Electron, where the program imports it
 * @param short with the shorter code that the product's own bundles have
 * @returns the path of the bundle
 */
export async function bundled(entry: string, electron: string | null = null, short = false): Promise<string> {
  const name = basename(entry, ".ts");
  const sources = [
    "gateway",
    "main",
    "test/support",
    "test/run",
    "test/bench/guard",
    "test/gateway/store",
    dirname(entry),
  ];
  const stamp = fingerprint({ entry, folder: FOLDER, sources });
  const folder = join(FOLDER, `${name}-${stamp}`);
  const program = join(folder, `${name}.mjs`);
  if (existsSync(program)) return program;
  const stage = join(FOLDER, `.stage-${name}-${process.pid}`);
  await bundle(entry, `${name}.mjs`, stage, electron, short);
  // The gateway starts these from files next to its own.
  for (const [file, thread] of Object.entries(THREADS)) await bundle(thread, file, stage);
  await mkdir(FOLDER, { recursive: true });
  // Another worker may have made the same one meanwhile.
  await rename(stage, folder).catch(() => rm(stage, { recursive: true, force: true }));
  const old = (await readdir(FOLDER)).filter((one) => one.startsWith(`${name}-`) && !one.endsWith(stamp));
  for (const one of old) await rm(join(FOLDER, one), { recursive: true, force: true });
  return program;
}

async function bundle(
  entry: string,
  file: string,
  stage: string,
  electron: string | null = null,
  short = false,
): Promise<void> {
  await build({
    root: projectFolder,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: "error",
    resolve: { alias: electron === null ? {} : { electron: join(projectFolder, electron) } },
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: entry,
      outDir: stage,
      emptyOutDir: false,
      target: "node24",
      minify: false,
      rolldownOptions: {
        output: {
          format: file.endsWith(".cjs") ? "cjs" : "es",
          entryFileNames: file,
          chunkFileNames: "[name]-[hash].mjs",
          ...(short ? { minify: SHORT } : {}),
        },
        onLog(level, log, handle) {
          // depd (below Koa) builds its deprecation wrappers with eval; it never sees input.
          if (log.code !== "EVAL") handle(level, log);
        },
      },
    },
  });
}
