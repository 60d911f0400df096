import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DataFolderView } from "../../../gateway/contract/maintenance.ts";
import { startGateway } from "../../support/running-gateway.ts";

it("says what lies where, in bytes and files", async () => {
  const postern = await startGateway();
  const media = join(postern.dataDir, "media", "ab");
  await mkdir(media, { recursive: true });
  await writeFile(join(media, "one"), Buffer.alloc(1_000));
  await writeFile(join(media, "two"), Buffer.alloc(500));
  await writeFile(join(postern.dataDir, "mine.txt"), "12345");
  await mkdir(join(postern.dataDir, "desktop"));
  await writeFile(join(postern.dataDir, "desktop", "Preferences"), "{}");
  await postern.ask("POST", "/backup");
  const view = await postern.ask<DataFolderView>("GET", "/data-folder");
  const parts = Object.fromEntries(view.parts.map(({ part, ...sizes }) => [part, sizes]));
  expect(view.path).toBe(postern.dataDir);
  expect(parts["media"]?.bytes).toBeGreaterThanOrEqual(1_500);
  expect(parts["desktop"]).toEqual({ bytes: 2, files: 1 });
  expect(parts["other"]?.files).toBeGreaterThanOrEqual(1);
  for (const part of ["state", "journal", "backups", "secrets"]) expect(parts[part]?.bytes, part).toBeGreaterThan(0);
  expect(view.bytes).toBe(view.parts.reduce((sum, { bytes }) => sum + bytes, 0));
  await postern.close();
});
