import { useTranslation } from 'react-i18next'
import classes from './CommandPalette.module.css'
import { type Command, groups } from './command.ts'

interface PaletteListProps {
  id: string
  commands: readonly Command[]
  /** The index of the one that Enter runs. */
  chosen: number
  onChoose: (id: string) => void
  onRun: (command: Command) => void
}

/** The commands in their groups; the focus stays in the search, which names the chosen one. */
export function PaletteList({ id, commands, chosen, onChoose, onRun }: PaletteListProps) {
  const { t } = useTranslation('commands')
  return (
    <div id={id} role="listbox" aria-label={t('title')} className={classes.list} tabIndex={-1}>
      {groups.map((group) => {
        const members = commands.flatMap((command, index) => (command.group === group ? [{ command, index }] : []))
        if (members.length === 0) return null
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box.
          <div key={group} role="group" aria-label={t(`groups.${group}`)}>
            <div className={classes.group} aria-hidden>
              {t(`groups.${group}`)}
            </div>
            {members.map(({ command, index }) => (
              <Option
                key={command.id}
                id={`${id}-${index}`}
                command={command}
                isChosen={index === chosen}
                onChoose={onChoose}
                onRun={onRun}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
}

interface OptionProps {
  id: string
  command: Command
  isChosen: boolean
  onChoose: (id: string) => void
  onRun: (command: Command) => void
}

function Option({ id, command, isChosen, onChoose, onRun }: OptionProps) {
  const { label, detail, why = null, icon: Icon } = command
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search.
    <div
      ref={(element) => {
        if (isChosen) element?.scrollIntoView({ block: 'nearest' })
      }}
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={why !== null}
      tabIndex={-1}
      className={classes.option}
      onMouseMove={() => {
        if (!isChosen) onChoose(command.id)
      }}
      // The focus stays where it is.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onRun(command)}
    >
      <Icon size={17} stroke={1.7} aria-hidden />
      <span className={classes.label}>{label}</span>
      <span className={classes.detail}>{why ?? detail}</span>
    </div>
  )
}
