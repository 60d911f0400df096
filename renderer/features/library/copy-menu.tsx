import { Copy } from "lucide-react";
import type { ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { useGatewayState } from "../../api/queries.ts";
import { ownLink } from "../../components/media/media-links.ts";
import { Button } from "../../components/ui/button.tsx";
import { useCopy } from "../../components/ui/copy.tsx";
import { Menu, MenuItem } from "../../components/ui/menu.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { mediaCurl, mediaJson, mediaTsv } from "./media-texts.ts";

/** Results as text: for programs, for spreadsheets, as commands that make them again, as links. */
export function CopyMenu({ views }: { readonly views: readonly MediaView[] }): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { copy } = useCopy();
  const { data: state } = useGatewayState();
  const copyAndConfirm = async (text: string, words: string): Promise<void> => {
    if (await copy(text)) notify.confirm(words);
  };
  const curl = mediaCurl(views, state?.url ?? location.origin);
  const links = views.flatMap(({ available, link }) => (available && ownLink(link) !== null ? [link] : []));
  const asLinks = (): Promise<void> =>
    copyAndConfirm(
      links.map((link) => new URL(link, location.origin).href).join("\n"),
      t.library.copiedLinks(links.length),
    );
  return (
    <Menu trigger={<Button icon={<Copy size={14} aria-hidden />}>{t.library.copy}</Button>}>
      <MenuItem onSelect={() => void copyAndConfirm(mediaJson(views), t.app.copied)}>{t.library.copyAs.json}</MenuItem>
      <MenuItem onSelect={() => void copyAndConfirm(mediaTsv(views, t), t.app.copied)}>{t.library.copyAs.tsv}</MenuItem>
      {curl !== "" && (
        <MenuItem onSelect={() => void copyAndConfirm(curl, t.app.copied)}>{t.library.copyAs.curl}</MenuItem>
      )}
      {links.length > 0 && <MenuItem onSelect={() => void asLinks()}>{t.library.copyLinks}</MenuItem>}
    </Menu>
  );
}
