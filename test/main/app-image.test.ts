import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepVersion } from "../../main/app-image.ts";

let folder: string;
let image: string;
const files = () => readdir(folder);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-image-"));
  image = join(folder, "Postern.AppImage");
  await writeFile(image, "old", { mode: 0o755 });
});
afterEach(async () => {
  await chmod(folder, 0o755);
  await rm(folder, { recursive: true, force: true });
});

it("puts the image back that an update has removed", async () => {
  const stored = keepVersion({ APPIMAGE: image }, []);
  await rm(image);
  stored.putBack();
  expect([await readFile(image, "utf8"), await files()]).toStrictEqual(["old", ["Postern.AppImage"]]);
  expect((await stat(image)).mode & 0o777).toBe(0o755);
});

it("puts it back over half a file, and where nothing became of it", async () => {
  const half = keepVersion({ APPIMAGE: image }, []);
  await rm(image);
  await writeFile(image, "ne");
  half.putBack();
  expect([await readFile(image, "utf8"), await files()]).toStrictEqual(["old", ["Postern.AppImage"]]);
  const untouched = keepVersion({ APPIMAGE: image }, []);
  untouched.putBack();
  untouched.putBack();
  expect([await readFile(image, "utf8"), await files()]).toStrictEqual(["old", ["Postern.AppImage"]]);
});

it("leaves nothing behind when the update has its place, whatever an earlier one left", async () => {
  await writeFile(`${image}.old`, "older");
  const stored = keepVersion({ APPIMAGE: image }, []);
  await rm(image);
  await writeFile(image, "new");
  stored.forget();
  stored.putBack();
  expect([await readFile(image, "utf8"), await files()]).toStrictEqual(["new", ["Postern.AppImage"]]);
});

it("throws a sentence where it cannot be kept", async () => {
  await mkdir(`${image}.old`);
  expect(() => keepVersion({ APPIMAGE: image }, [])).toThrow(/^The AppImage cannot be replaced: /);
});

it("hands Postern's options on to a start that takes no arguments", () => {
  const env = { APPIMAGE: image };
  keepVersion(env, ["--port", "0", "--data-dir", "/d"]);
  expect(env).toMatchObject({ POSTERN_PORT: "0", POSTERN_DATA_DIR: "/d" });
});

it("does nothing where this is no AppImage", async () => {
  const env = {};
  const stored = keepVersion(env, ["--port", "0"]);
  stored.putBack();
  stored.forget();
  expect([env, await files()]).toStrictEqual([{}, ["Postern.AppImage"]]);
});
