import { describe, expect, it } from "vitest";
import { readEnvironment } from "../../../../gateway/services/connections/environment.ts";
import {
  isWebhookSecret,
  newWebhookSecret,
  WebhookSecrets,
} from "../../../../gateway/services/webhooks/webhook-secrets.ts";
import type { KeySealer } from "../../../../gateway/store/store.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import { reply } from "../../../support/wire-provider.ts";
import { FixedClock, open } from "../../store/fixtures.ts";
import { SimFs } from "../../store/sim-fs.ts";
import { WebhookWorld } from "./webhook-world.ts";

const DIR = "/data";
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

class Place {
  readonly clock = new FixedClock();
  readonly notices: string[] = [];
  fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  store!: OpenedStore;
  secret!: WebhookSecrets;

  /** Starts on what a kill would leave. */
  async open(fromEnvironment: string | null = null, sealer?: KeySealer): Promise<this> {
    this.fs = new SimFs(this.fs.afterKill());
    this.store = (await open({ dir: DIR, fs: this.fs, ...(sealer === undefined ? {} : { sealer }) })).store;
    const notices = { add: (_level: string, message: string) => void this.notices.push(message) };
    this.secret = new WebhookSecrets({ store: this.store, clock: this.clock, notices, fromEnvironment });
    return this;
  }
}

const opened = (): Promise<Place> => new Place().open();

describe("the webhook secret", () => {
  it("is made once, regardless of who asks first, and is the same after a restart", async () => {
    const place = await opened();
    const all = await Promise.all([place.secret.current(), place.secret.signing(), place.secret.current()]);
    const [first] = all;
    expect(isWebhookSecret(first)).toBe(true);
    expect(all).toEqual([first, [first], first]);
    expect(place.store.document.webhook_secrets.size).toBe(1);
    await place.open();
    expect(await place.secret.current()).toBe(first);
    expect(place.secret.previousUntil).toBeNull();
  });

  it("is in no file of the folder as it is", async () => {
    const place = await opened();
    const secrets = [await place.secret.current()];
    await place.secret.rotate();
    secrets.push(await place.secret.current());
    await place.store.close();
    const { files } = place.fs.afterKill();
    expect(files.size).toBeGreaterThan(2);
    for (const [path, bytes] of files) {
      for (const secret of secrets) {
        const text = secret.slice("whsec_".length);
        expect(bytes.includes(text) || bytes.includes(Buffer.from(text, "base64")), path).toBe(false);
      }
    }
  });

  it("signs for 24 hours after it was rotated, over a restart, and then is gone", async () => {
    const place = await opened();
    const before = await place.secret.current();
    await place.secret.rotate();
    const after = await place.secret.current();
    expect(after).not.toBe(before);
    expect(await place.secret.signing()).toEqual([after, before]);
    expect(place.secret.previousUntil).toBe(place.clock.at + 24 * HOUR);
    place.clock.at += 24 * HOUR - 1;
    await place.open();
    expect(await place.secret.signing()).toEqual([after, before]);
    place.clock.at += 1;
    expect(await place.secret.signing()).toEqual([after]);
    expect(place.secret.previousUntil).toBeNull();
    const ids = [...place.store.document.webhook_secrets.keys()];
    await place.secret.rotate();
    const stored = [...place.store.document.webhook_secrets.keys()];
    const forgotten = ids.filter((id) => !stored.includes(id));
    expect(forgotten).toHaveLength(1);
    expect(place.store.secrets.get(forgotten[0] ?? "")).toBeUndefined();
  });

  it("rotated several times in a day leaves the last four signing, each rotation whole", async () => {
    const place = await opened();
    const made = [await place.secret.current()];
    for (let time = 0; time < 6; time += 1) {
      place.clock.at += HOUR;
      await place.secret.rotate();
      made.unshift(await place.secret.current());
    }
    expect(await place.secret.signing()).toEqual(made.slice(0, 5));
    await Promise.all([place.secret.rotate(), place.secret.rotate()]);
    const holding = [...place.store.document.webhook_secrets.values()].filter(
      ({ signs_until }) => signs_until === null,
    );
    expect(holding).toHaveLength(1);
  });

  it("of the environment goes before, and cannot be rotated", async () => {
    const place = await opened();
    await place.secret.current();
    const given = newWebhookSecret();
    await place.open(given);
    expect(await place.secret.signing()).toEqual([given]);
    expect(place.secret.fromEnvironment).toBe(true);
    await expect(place.secret.rotate()).rejects.toMatchObject({
      code: "conflict",
      status: 409,
      message: expect.stringContaining("POSTERN_WEBHOOK_SECRET"),
    });
    expect(place.store.document.webhook_secrets.size).toBe(1);
  });

  it("that cannot be opened on this start is not done without, and replaced by no one but its owner", async () => {
    const keychain = {
      backend: "keychain",
      locked: false,
      seal: async (key: Uint8Array) => Buffer.from(key).toString("hex"),
      async open(sealed: string) {
        if (this.locked) throw new Error("the keychain is locked");
        return Buffer.from(sealed, "hex");
      },
    };
    const place = await new Place().open(null, keychain);
    const before = await place.secret.current();
    keychain.locked = true;
    await place.open(null, keychain);
    for (const pending of [place.secret.current(), place.secret.signing()]) {
      await expect(pending).rejects.toMatchObject({ code: "storage_unavailable" });
    }
    keychain.locked = false;
    await place.open(null, keychain);
    expect(await place.secret.current()).toBe(before);
    keychain.locked = true;
    await place.open(null, keychain);
    await place.secret.rotate();
    expect(await place.secret.current()).not.toBe(before);
    expect(place.notices).toEqual([expect.stringContaining("Give it to the receivers")]);
  });

  it("whose bytes are lost is made again, and the owner is informed", async () => {
    const place = await opened();
    const before = await place.secret.current();
    await place.store.secrets.remove([...place.store.document.webhook_secrets.keys()]);
    const after = await place.secret.current();
    expect(after).not.toBe(before);
    expect(place.store.document.webhook_secrets.size).toBe(1);
    expect(place.notices).toEqual([expect.stringContaining("Give it to the receivers")]);
  });
});

describe("rotation, as receivers see it", () => {
  it("is two signatures for a day: either secret verifies, then the new one alone", async () => {
    await using world = await WebhookWorld.open();
    world.receiver.on("POST /hook", reply(200, {}));
    world.deliver.start();
    const before = await world.secret.current();
    await world.secret.rotate();
    const after = await world.secret.current();
    world.end(1);
    await world.pass(SECOND);
    await world.restart();
    world.end(2);
    await world.pass(SECOND);
    for (const seen of world.receiver.seen) {
      expect(String(seen.headers["webhook-signature"]).split(" ")).toHaveLength(2);
      await world.verified(seen, before);
      await world.verified(seen, after);
    }
    await world.pass(24 * HOUR);
    world.end(3);
    await world.pass(SECOND);
    const last = world.receiver.seen[2];
    if (last === undefined) throw new Error("the third callback did not come");
    await world.verified(last, after);
    await expect(world.verified(last, before)).rejects.toThrow("signature");
  });

  it("sends nothing unsigned while no secret can be had", async () => {
    await using world = await WebhookWorld.open();
    world.receiver.on("POST /hook", reply(200, {}));
    Object.defineProperty(world.store.secrets, "locked", { value: "The keychain is locked." });
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    expect(world.receiver.seen).toHaveLength(0);
    expect(world.delivery(1).attempts[0]?.error).toBe("Not sent: The keychain is locked.");
  });
});

describe("POSTERN_WEBHOOK_SECRET", () => {
  it.each([undefined, "", "  "])("does not exist when it is %j", (value) => {
    const { webhookSecret, problems } = readEnvironment({ POSTERN_WEBHOOK_SECRET: value });
    expect({ webhookSecret, problems }).toEqual({ webhookSecret: null, problems: [] });
  });

  it("is taken as it is", () => {
    const secret = newWebhookSecret();
    expect(readEnvironment({ POSTERN_WEBHOOK_SECRET: ` ${secret} ` }).webhookSecret).toBe(secret);
  });

  it.each(["secret", "whsec_", "whsec_c2hvcnQ=", "whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"])(
    "is ignored when it is %s, in words that do not repeat it",
    (value) => {
      const { webhookSecret, problems } = readEnvironment({ POSTERN_WEBHOOK_SECRET: value });
      expect(webhookSecret).toBeNull();
      expect(problems).toEqual([
        "POSTERN_WEBHOOK_SECRET was ignored: it must be whsec_ and the base64 of 24 to 64 random bytes.",
      ]);
    },
  );
});
