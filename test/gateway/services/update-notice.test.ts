import { expect, it, vi } from "vitest";
import { NEWEST_VERSION_URL, UpdateNotice, isNewer } from "../../../gateway/services/update-notice.ts";

function createNotice(body: string | Error, isOn = true) {
  const offer = vi.fn<(level: string, message: string) => string>((_, message) => message);
  const takeBack = vi.fn<(id: string) => void>();
  const warn = vi.fn<(event: string, facts?: object) => void>();
  const response = {
    get response() {
      const collect = (): Promise<Buffer> => Promise.resolve(Buffer.from(String(body)));
      return body instanceof Error ? Promise.reject(body) : Promise.resolve({ collect });
    },
    abort: () => undefined,
  };
  const open = vi.fn<(url: string) => typeof response>(() => response);
  const deps = { settings: { get: () => isOn }, downloader: { open }, log: { warn }, notices: { offer, takeBack } };
  const time = { clock: { now: () => 0, monotonic: () => 0 }, later: () => () => undefined };
  const notice = new UpdateNotice({ ...deps, ...time, version: "1.0.0" } as never);
  return { notice, offer, takeBack, open, warn };
}

it("says once that there is a newer version", async () => {
  const { notice, offer, open } = createNotice('{"name":"postern","version":"1.2.0"}');
  await notice.look();
  await notice.look();
  expect(open).toHaveBeenCalledTimes(2);
  expect(open.mock.calls[0]?.[0]).toBe(NEWEST_VERSION_URL);
  expect(offer.mock.calls).toEqual([["info", expect.stringContaining("Postern 1.2.0 is available; this is 1.0.0.")]]);
});

it.each([
  ["the same version", '{"version":"1.0.0"}'],
  ["an older one", '{"version":"0.9.9"}'],
  ["one before a release", '{"version":"2.0.0-beta.1"}'],
  ["no version", '{"version":{}}'],
  ["a page", "<html>"],
])("says nothing of %s", async (_, body) => {
  const { notice, offer } = createNotice(body);
  await notice.look();
  expect(offer).not.toHaveBeenCalled();
});

it("asks npm nothing while it is off, which it is at first", async () => {
  const { notice, open } = createNotice('{"version":"9.0.0"}', false);
  await notice.look();
  expect(open).not.toHaveBeenCalled();
});

it("logs a failure and shows none", async () => {
  const { notice, offer, warn } = createNotice(new Error("no network"));
  await notice.look();
  expect([offer.mock.calls, warn.mock.calls]).toEqual([[], [["update.failed", { message: "no network" }]]]);
});

it.each([
  ["1.0.1", "1.0.0", true],
  ["1.10.0", "1.9.9", true],
  ["1.0.0", "1.0.0-beta.2", true],
  ["1.0.0", "1.0.0", false],
  ["1.9.9", "1.10.0", false],
  ["1.0.0", "1.1.0-beta.1", false],
])("takes %s for newer than %s: %s", (release, version, expected) => {
  expect(isNewer(release, version)).toBe(expected);
});
