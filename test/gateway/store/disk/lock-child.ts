import { lockFolder } from "../../../../gateway/store/disk/lock.ts";

/** Takes a folder's lock, says whether it got it, and holds it until it is killed or its input ends. */
const lock = await lockFolder(process.argv[2] ?? "");
process.stdout.write(lock.owner ? "owner\n" : "taken\n");
process.stdin.resume().on("end", () => process.exit(0));
