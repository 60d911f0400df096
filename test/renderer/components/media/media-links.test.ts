import { describe, expect, it } from "vitest";
import { keepLink, ownLink } from "../../../../renderer/components/media/media-links.ts";
import { mediaView, NOW } from "../../features/library/library-fake.ts";

describe("a link of Postern's own", () => {
  it.each([
    `/media/med_1?expires=1795397369&signature=${"0a".repeat(32)}`,
    "/media/med_1/poster?expires=1795397369&signature=ab",
    "/media/export/Zm9v-YmFy_",
  ])("is %s", (link) => {
    expect(ownLink(link)).toBe(link);
  });

  const schemes =
    "javascript data vbscript file blob filesystem about http https ftp ws wss mailto tel sms chrome devtools " +
    "view-source ms-msdt search-ms ms-officecmd vscode ssh telnet smb jar intent itms-apps steam slack zoommtg " +
    "skype facetime magnet bitcoin gopher ldap irc news x-apple.systempreferences";

  it.each(schemes.split(" "))("has no scheme, as %s:", (scheme) => {
    for (const link of [
      `${scheme}:alert(1)`,
      `${scheme}://example.com/`,
      `${scheme.toUpperCase()}:/media/med_1`,
      ` ${scheme}:x`,
    ])
      expect(ownLink(link)).toBeNull();
  });

  it.each([
    "//example.com/media/med_1",
    "/\\example.com/",
    "\\\\example.com\\",
    "media/med_1",
    "",
    "/\t/example.com",
    "/media/#x",
    "/media/a b",
  ])("is not %j", (link) => {
    expect(ownLink(link)).toBeNull();
  });

  it("is not there where there is no link", () => {
    expect(ownLink(null)).toBeNull();
  });
});

describe("a result that was asked for again", () => {
  const before = mediaView(1, { kind: "video" });
  const after = { ...before, link: "/media/med_1?expires=2&signature=b", link_expires_at: NOW + 2 * 86_400_000 };

  it("keeps its link while that works, so that nothing is loaded twice", () => {
    expect(keepLink(before, after, NOW)).toBe(before);
  });

  it("keeps it when a still comes, so that no video stops that plays", () => {
    const poster = "/media/med_1/poster?expires=2&signature=b";
    expect(keepLink(before, { ...after, poster }, NOW)).toEqual({ ...before, poster });
  });

  it("gets another when its own is about to expire, or its file went or came back", () => {
    expect(keepLink(before, after, before.link_expires_at - 60_000)).toBe(after);
    const gone = { ...after, available: false };
    expect(keepLink(before, gone, NOW)).toBe(gone);
    expect(keepLink(gone, after, NOW)).toBe(after);
    expect(keepLink(undefined, after, NOW)).toBe(after);
  });
});
