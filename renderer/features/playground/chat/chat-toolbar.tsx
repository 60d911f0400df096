import { PanelLeft, Plus, SlidersHorizontal, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { ModelPicker } from "../../../components/model-picker/model-picker.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { MOST_LANES } from "./conversation.ts";

export interface ChatToolbarProps {
  readonly models: readonly string[];
  readonly listShown: boolean;
  readonly settingsShown: boolean;
  readonly onList: () => void;
  readonly onSettings: () => void;
  readonly onNew: () => void;
  /** Adds a model to compare with. */
  readonly onAdd: (model: string) => void;
}

/** Controls of the whole conversation: the list, a new one, an additional model, the settings. */
export function ChatToolbar(props: ChatToolbarProps): ReactNode {
  const t = useMessages();
  const { models } = props;
  return (
    <div className="flex h-11 shrink-0 items-center gap-1 border-b border-line px-2">
      <IconButton label={t.playground.conversations} aria-pressed={props.listShown} onClick={props.onList}>
        <PanelLeft size={15} aria-hidden />
      </IconButton>
      <Button look="quiet" icon={<SquarePen size={14} aria-hidden />} onClick={props.onNew}>
        {t.playground.newConversation}
      </Button>
      <span className="grow" />
      {models.length < MOST_LANES && (
        <ModelPicker
          label={t.playground.addModel}
          value=""
          capability="chat"
          except={models}
          onChange={props.onAdd}
          trigger={
            <Button look="quiet" icon={<Plus size={14} aria-hidden />}>
              <span className="max-wide:sr-only">{t.playground.addModel}</span>
            </Button>
          }
        />
      )}
      <IconButton label={t.playground.settings} aria-pressed={props.settingsShown} onClick={props.onSettings}>
        <SlidersHorizontal size={15} aria-hidden />
      </IconButton>
    </div>
  );
}
