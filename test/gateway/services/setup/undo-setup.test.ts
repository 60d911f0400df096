import { describe, expect, it } from "vitest";
import { SetupWorld, WHOLE } from "./setup-world.ts";

/** A world with something of its own in it, which the set-up changes. */
async function used(): Promise<SetupWorld> {
  const world = await SetupWorld.start();
  // Of one moment they would be in the order of their ids, which are random.
  const later = (): void => void (world.clock.at += 1);
  await world.manageConnections.create({
    provider: "openai",
    name: "OpenAI",
    keys: ["sk-own-openai-key-01"],
    priority: 5,
  });
  later();
  await world.manageConnections.create({ provider: "mistral", name: "Mistral", keys: ["own-mistral-key-0001"] });
  await world.manageKeys.create({ name: "own key", rpm: 5 });
  await world.manageModels.setAlias("quick", "gpt-5");
  await world.manageModels.setPrice("gpt-5", { input: 1, output: 2 });
  await world.manageRoutes.set({ name: "own", models: ["gpt-5"] });
  await world.settings.update({ backup_keep: 9, record_max_mib: 77 });
  later();
  return world;
}

describe("undoing a set-up", () => {
  it("puts everything back, secrets too, as one", async () => {
    const world = await used();
    const [before, secrets] = [world.setup.read(), world.secrets];
    await world.apply(WHOLE);
    const { changes, left } = world.setup.planUndo(world.setup.list()[0]?.id ?? "");
    expect(left).toEqual([]);
    expect(changes).toHaveLength(17);
    expect(changes[0]).toMatchObject({
      kind: "connection",
      name: "OpenAI",
      action: "change",
      fields: [
        { field: "keys", before: "sk-op…0001, sk-op…0002", after: "sk-ow…y-01" },
        { field: "priority", before: "10", after: "5" },
      ],
    });
    expect(await world.undoNewest()).toEqual([]);
    expect(world.setup.read()).toEqual(before);
    expect(world.secrets).toEqual(secrets);
    expect(world.setup.list()).toEqual([]);
    expect(world.connections.all().map(({ name }) => name)).toEqual(["OpenAI", "Mistral"]);
    expect(world.keyRing.knows("sk-laptop-secret-0001")).toBe(false);
  });

  it("brings back what was removed", async () => {
    const world = await used();
    const before = world.setup.read();
    await world.apply({ connections: [], keys: [], routes: [], aliases: {}, prices: {} }, { prune: true });
    expect(world.setup.read()).toMatchObject({ connections: [], keys: [], routes: [], aliases: {}, prices: {} });
    expect(await world.undoNewest()).toEqual([]);
    expect(world.setup.read()).toEqual(before);
  });

  it("leaves what was changed since, and says so", async () => {
    const world = await used();
    await world.apply(WHOLE);
    const laptop = (await world.manageKeys.list()).find(({ name }) => name === "laptop");
    await world.manageKeys.update(laptop?.id ?? "", { rpm: 61 });
    await world.manageRoutes.remove("work", true);
    await world.settings.update({ backup_keep: 4, record_keep_days: 12 });
    const house = world.connections.all().find(({ name }) => name === "House");
    await world.manageConnections.update(house?.id ?? "", { keys: ["house-key-of-the-owner"] });
    expect((await world.undoNewest()).toSorted()).toEqual(["connection House", "key laptop", "setting backup_keep"]);
    expect(world.setup.read()).toMatchObject({
      connections: [
        { name: "OpenAI", priority: 5 },
        { name: "Mistral" },
        { name: "House", keys: ["house-key-of-the-owner"] },
      ],
      keys: [{ name: "own key" }, { name: "laptop", rpm: 61 }],
      routes: [{ name: "own" }],
      aliases: { quick: "gpt-5" },
      settings: { backup_keep: 4, record_keep_days: 12, monthly_budget_usd: null, search_provider: "none" },
    });
    expect(world.secrets).toEqual(["house-key-of-the-owner", "own-mistral-key-0001", "sk-own-openai-key-01"]);
  });

  it("restores nothing to a name that means something else by now", async () => {
    const world = await used();
    await world.apply({ connections: [{ name: "Mistral", provider: "mistral" }], routes: [] }, { prune: true });
    await world.manageModels.setAlias("own", "gpt-5");
    await world.manageConnections.create({ provider: "xai", name: "openai" });
    expect((await world.undoNewest()).toSorted()).toEqual(["connection OpenAI", "route own"]);
    expect(
      world.setup
        .read()
        .connections?.map(({ name }) => name)
        .toSorted(),
    ).toEqual(["Mistral", "openai"]);
  });

  it("goes back step by step, newest first, over a start", async () => {
    const first = await used();
    const states = [first.setup.read()];
    await first.apply(WHOLE);
    states.push(first.setup.read());
    await first.apply({ connections: [{ name: "OpenAI", provider: "openai", keys: ["sk-third-key-00001"] }] });
    states.push(first.setup.read());
    await first.store.close();
    const world = await SetupWorld.start(first.fs.afterKill());
    expect(world.setup.read()).toEqual(states[2]);
    for (const state of [states[1], states[0]]) {
      expect(await world.undoNewest()).toEqual([]);
      expect(world.setup.read()).toEqual(state);
    }
  });

  it("is refused where it is not as it was shown", async () => {
    const world = await used();
    await world.apply(WHOLE);
    const id = world.setup.list()[0]?.id ?? "";
    const { token } = world.setup.planUndo(id);
    await world.settings.update({ backup_keep: 8 });
    await expect(world.setup.undo(id, token)).rejects.toThrow(/not as it was shown/);
    expect(world.setup.list()).toHaveLength(1);
    expect(() => world.setup.planUndo("setup_none")).toThrow(/nothing of that id/);
  });

  it("cannot be done any more when it was forgotten, and keys that were replaced are gone", async () => {
    const world = await used();
    await world.apply(WHOLE);
    expect(world.secrets).toContain("sk-own-openai-key-01");
    const id = world.setup.list()[0]?.id ?? "";
    await world.setup.forget(id);
    expect(world.setup.list()).toEqual([]);
    expect(world.secrets).not.toContain("sk-own-openai-key-01");
    expect(world.secrets).toContain("sk-openai-key-0001");
    await expect(world.setup.forget(id)).rejects.toThrow(/nothing of that id/);
  });

  it("is kept for the newest twenty", async () => {
    const world = await used();
    for (let count = 1; count <= 22; count++) {
      world.clock.at += 1;
      const key = `sk-changing-key-${String(count).padStart(4, "0")}`;
      await world.apply({ connections: [{ name: "OpenAI", provider: "openai", keys: [key] }] });
    }
    expect(world.setup.list()).toHaveLength(20);
    // The keys of the state that can be gone back to, and of all since.
    expect(world.secrets.filter((secret) => secret.startsWith("sk-changing"))).toHaveLength(21);
    expect(world.secrets).not.toContain("sk-own-openai-key-01");
  });
});
