import { Loader, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'

import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { useDialogFrame } from '#ui/dialog/open-dialogs.ts'
import classes from './CommandPalette.module.css'
import { type Command, groups } from './command.ts'
import { noteRecent, type Panels, useCommands } from './use-commands.ts'

const typingMilliseconds = 150
const [store, spotlight] = createSpotlight()

/** Reaches everything in the console by keyboard. */
export function CommandPalette({ panels }: { panels: Panels }) {
  const { t } = useTranslation('commands')
  const { opened, onClose, ...frame } = useDialogFrame()
  useEffect(() => (opened ? spotlight.open() : spotlight.close()), [opened])
  return (
    <Spotlight.Root
      {...frame}
      store={store}
      onSpotlightClose={onClose}
      shortcut={null}
      size={640}
      overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
      transitionProps={{ duration: 100 }}
      removeScrollProps={{ allowPinchZoom: true }}
      // The dialog has no visible title that could name it.
      attributes={{ content: { 'aria-label': t('title') } }}
    >
      <Palette panels={panels} onClose={onClose} />
    </Spotlight.Root>
  )
}

/** Mounted only while the palette is open, so it always starts with an empty search. */
function Palette({ panels, onClose }: { panels: Panels; onClose: () => void }) {
  const { t } = useTranslation('commands')
  const listId = useId()
  const [query, setQuery] = useState('')
  const [settledQuery] = useDebouncedValue(query, typingMilliseconds)
  const { commands, isSearching, error } = useCommands({ query, settledQuery, setQuery, panels })
  const [chosenId, setChosenId] = useState<string | null>(null)
  const chosen = Math.max(
    0,
    commands.findIndex(({ id }) => id === chosenId),
  )
  const run = (command: Command | undefined) => {
    if (command === undefined || (command.why ?? null) !== null) return
    setChosenId(null)
    if (command.staysOpen === true) return command.run()
    // For an action on a room, remember the room.
    noteRecent(command.id.split(':').slice(0, 2).join(':'))
    onClose()
    command.run()
  }
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) setChosenId(commands.at((chosen + by) % commands.length)?.id ?? null)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(commands[chosen])
    else return
    event.preventDefault()
  }
  const isWaiting = isSearching || settledQuery !== query
  return (
    <>
      <Search
        listId={listId}
        chosen={commands.length === 0 ? null : chosen}
        isWaiting={isWaiting}
        query={query}
        onQuery={(typed) => {
          setQuery(typed)
          setChosenId(null)
        }}
        onKey={onKey}
      />
      <PaletteList id={listId} commands={commands} chosen={chosen} onChoose={setChosenId} onRun={run} />
      {error !== null && (
        <p role="alert" className={classes.note}>
          {t('failed')} {textOf(error)}
        </p>
      )}
      {error === null && commands.length === 0 && (
        <p className={classes.note}>{isWaiting ? t('searching') : t('nothing')}</p>
      )}
      <VisuallyHidden role="status">{isWaiting ? '' : t('count', { count: commands.length })}</VisuallyHidden>
      <Spotlight.Footer className={classes.foot ?? ''}>{t('keys')}</Spotlight.Footer>
    </>
  )
}

interface SearchProps {
  listId: string
  /** The index of the option that Enter runs. */
  chosen: number | null
  isWaiting: boolean
  query: string
  onQuery: (query: string) => void
  onKey: (event: KeyboardEvent) => void
}

/** Keeps the focus while the arrow keys move through the options. */
function Search({ listId, chosen, isWaiting, query, onQuery, onKey }: SearchProps) {
  const { t } = useTranslation('commands')
  return (
    <TextInput
      data-autofocus
      size="md"
      className={classes.input ?? ''}
      variant="unstyled"
      role="combobox"
      aria-label={t('search')}
      aria-expanded
      aria-controls={listId}
      aria-activedescendant={chosen === null ? undefined : `${listId}-${chosen}`}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      placeholder={t('search')}
      leftSection={<IconSearch size={18} stroke={1.7} aria-hidden />}
      rightSection={isWaiting && <Loader size={16} aria-hidden />}
      value={query}
      onChange={(event) => onQuery(event.currentTarget.value)}
      onKeyDown={onKey}
    />
  )
}

interface PaletteListProps {
  id: string
  commands: readonly Command[]
  /** The index of the command that Enter runs. */
  chosen: number
  onChoose: (id: string) => void
  onRun: (command: Command) => void
}

/** The commands by group. The focus stays in the search field, whose active descendant is the chosen command. */
function PaletteList({ id, commands, chosen, onChoose, onRun }: PaletteListProps) {
  const { t } = useTranslation('commands')
  return (
    <div id={id} role="listbox" aria-label={t('title')} className={classes.list} tabIndex={-1}>
      {groups.map((group) => {
        const members = commands.flatMap((command, index) => (command.group === group ? [{ command, index }] : []))
        if (members.length === 0) return null
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a list box.
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys.
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
      // Keeps the focus in the search field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onRun(command)}
    >
      <Icon size={17} stroke={1.7} aria-hidden />
      <span className={classes.label}>{label}</span>
      <span className={classes.detail}>{why ?? detail}</span>
    </div>
  )
}
