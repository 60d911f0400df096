import { startGateway } from "../../support/running-gateway.ts";

/**
 * A gateway that measures its own main thread: the most CPU time between two ticks of a timer. Time of the thread, so that
 * a machine that is busy with something else changes nothing.
 */
const postern = await startGateway({ env: JSON.parse(process.argv[2] ?? "{}") as Record<string, string>, port: 0 });

let last = process.threadCpuUsage();
let longest = 0;
setInterval(() => {
  const { user, system } = process.threadCpuUsage(last);
  last = process.threadCpuUsage();
  longest = Math.max(longest, user + system);
}, 1);

process.on("message", (request) => {
  if (request === "stop") return void postern.close().then(() => process.exit(0));
  process.send?.({ ms: longest / 1_000, rss: process.memoryUsage().rss });
  longest = 0;
});
process.on("disconnect", () => process.exit(0));
process.send?.({ url: postern.url, bearer: await postern.signIn(), dataDir: postern.dataDir });
