import { ChartColumn, Copy, Ellipsis, FlaskConical, List, Tag, Tags } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { IconButton } from "../../components/ui/button.tsx";
import { useCopy } from "../../components/ui/copy.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { getAbilities, playgroundKinds } from "./model-filter.ts";

export interface ModelMenuProps {
  readonly model: ModelView;
  readonly onSetPrice: (model: ModelView) => void;
  readonly onAlias: (model: ModelView) => void;
}

/** Opens the playground with the model; null if it has no use there, or is not served. */
export function tryModel(model: ModelView): (() => void) | null {
  const [ability] = getAbilities(model);
  const kind = ability === undefined ? undefined : playgroundKinds[ability];
  if (kind === undefined || !model.served) return null;
  return () => navigate("playground", { model: model.id, kind });
}

export function ModelMenu(props: ModelMenuProps): ReactNode {
  const t = useMessages();
  return (
    <Menu
      trigger={
        <IconButton label={t.app.actions(props.model.id)}>
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
    >
      <ModelMenuItems {...props} />
    </Menu>
  );
}

/** Made when the menu is opened: a page has as many of these menus as it has rows. */
function ModelMenuItems({ model, onSetPrice, onAlias }: ModelMenuProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { copy } = useCopy();
  const open = tryModel(model);
  const copyId = async (): Promise<void> => {
    if (await copy(model.id)) notify.confirm(t.app.copied);
  };
  return (
    <>
      {open !== null && (
        <MenuItem icon={<FlaskConical size={14} aria-hidden />} onSelect={open}>
          {t.models.tryIt}
        </MenuItem>
      )}
      <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => void copyId()}>
        {t.models.copyIdItem}
      </MenuItem>
      <MenuItem icon={<Tags size={14} aria-hidden />} onSelect={() => onAlias(model)}>
        {t.models.aliasItem}
      </MenuItem>
      <MenuItem icon={<Tag size={14} aria-hidden />} onSelect={() => onSetPrice(model)}>
        {t.models.priceItem}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<List size={14} aria-hidden />} onSelect={() => navigate("requests", { model: model.id })}>
        {t.models.showRequests}
      </MenuItem>
      <MenuItem icon={<ChartColumn size={14} aria-hidden />} onSelect={() => navigate("usage", { model: model.id })}>
        {t.models.showUsage}
      </MenuItem>
    </>
  );
}
