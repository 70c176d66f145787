import { Box, Loader, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'

import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#locales/error-texts.ts'
import { useDialogFrame } from '#ui/dialog/open-dialogs.ts'
import classes from './CommandPalette.module.css'
import { type Command, groups, isFound } from './command.ts'
import type { EarlyTyping } from './early-typing.ts'
import { noteRecent } from './recent-commands.ts'
import { type Panels, useCommands } from './use-commands.ts'
import { useTyping } from './use-typing.ts'

const note = { c: 'dimmed', ta: 'center', px: 'md', py: 'lg' } as const

interface CommandPaletteProps {
  panels: Panels
  early: EarlyTyping
}

/** Reaches everything in the console by keyboard. */
export function CommandPalette({ panels, early }: CommandPaletteProps) {
  const { t } = useTranslation('commands')
  const { opened, onClose, ...frame } = useDialogFrame()
  const [[store, spotlight]] = useState(createSpotlight)
  useEffect(() => (opened ? spotlight.open() : spotlight.close()), [opened, spotlight])
  return (
    <Spotlight.Root
      {...frame}
      store={store}
      onSpotlightClose={onClose}
      shortcut={null}
      size={640}
      // Its top stays where it is while results come and go.
      centered={false}
      overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
      transitionProps={{ duration: 100 }}
      removeScrollProps={{ allowPinchZoom: true }}
      // The dialog has no visible title that could name it.
      attributes={{ content: { 'aria-label': t('title') } }}
    >
      <Palette panels={panels} early={early} onClose={onClose} />
    </Spotlight.Root>
  )
}

/** Mounted only while the palette is open, so it always starts with an empty search. */
function Palette({ panels, early, onClose }: CommandPaletteProps & { onClose: () => void }) {
  const { t } = useTranslation('commands')
  const listId = useId()
  const typing = useTyping()
  const { query } = typing
  const [chosenId, setChosenId] = useState<string | null>(null)
  const type = (text: string) => {
    typing.type(text)
    setChosenId(null)
  }
  const { commands, isOutdated, isSearching, error } = useCommands({ ...typing, setQuery: type, panels })
  const chosenAt = commands.findIndex(({ id }) => id === chosenId)
  const chosen = Math.max(0, chosenAt)
  const run = (command: Command | undefined) => {
    if (command === undefined || (command.why ?? null) !== null) return
    setChosenId(null)
    if (command.staysOpen === true) return command.run()
    // For an action on a room, remember the room.
    noteRecent(command.id.split(':').slice(0, 2).join(':'))
    onClose()
    command.run()
  }
  // What a former search has found must not be acted on.
  const enter = () => {
    const command = commands[chosen]
    if (isOutdated && (command === undefined || isFound(command))) typing.enter()
    else run(command)
  }
  const runAwaited = useEffectEvent(() => {
    typing.forgetEnter()
    if (chosenId === null || chosenAt !== -1) run(commands[chosen])
  })
  const isArrived = typing.isEntered && !isOutdated
  useEffect(() => {
    if (isArrived) runAwaited()
  }, [isArrived])
  const takeEarly = () => {
    const typed = early.take()
    if (typed === null || (typed.text === '' && !typed.isEntered)) return
    type(typed.text)
    if (typed.isEntered) typing.enter()
  }
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) setChosenId(commands.at((chosen + by) % commands.length)?.id ?? null)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) enter()
    else return
    event.preventDefault()
  }
  const isWaiting = isSearching || isOutdated
  return (
    <>
      <Search
        listId={listId}
        chosen={commands.length === 0 ? null : chosen}
        isWaiting={isWaiting}
        query={query}
        onQuery={type}
        onFocus={takeEarly}
        onKey={onKey}
      />
      <PaletteList
        id={listId}
        commands={commands}
        chosen={chosen}
        isOutdated={isOutdated}
        onChoose={setChosenId}
        onRun={run}
      />
      {error !== null && (
        <Text role="alert" {...note}>
          {t('failed')} {textOf(error)}
        </Text>
      )}
      {error === null && commands.length === 0 && <Text {...note}>{isWaiting ? t('searching') : t('nothing')}</Text>}
      <VisuallyHidden role="status">{isWaiting ? '' : t('count', { count: commands.length })}</VisuallyHidden>
      <Spotlight.Footer className="rk-note" px="md" py="xs">
        {t('keys')}
      </Spotlight.Footer>
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
  onFocus: () => void
  onKey: (event: KeyboardEvent) => void
}

/** Keeps the focus while the arrow keys move through the options. */
function Search({ listId, chosen, isWaiting, query, onQuery, onFocus, onKey }: SearchProps) {
  const { t } = useTranslation('commands')
  return (
    <TextInput
      data-autofocus
      size="md"
      className={classes.input}
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
      onFocus={onFocus}
      onKeyDown={onKey}
    />
  )
}

interface PaletteListProps {
  id: string
  commands: readonly Command[]
  /** The index of the command that Enter runs. */
  chosen: number
  /** Whether the rooms are those of a former search. */
  isOutdated: boolean
  onChoose: (id: string) => void
  onRun: (command: Command) => void
}

/** The commands by group. The focus stays in the search field, whose active descendant is the chosen command. */
function PaletteList({ id, commands, chosen, isOutdated, onChoose, onRun }: PaletteListProps) {
  const { t } = useTranslation('commands')
  return (
    <div id={id} role="listbox" aria-label={t('title')} className={classes.list} tabIndex={-1}>
      {groups.map((group) => {
        const members = commands.flatMap((command, index) => (command.group === group ? [{ command, index }] : []))
        if (members.length === 0) return null
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a list box.
          <div
            key={group}
            role="group"
            aria-label={t(`groups.${group}`)}
            className={isOutdated && members.some(({ command }) => isFound(command)) ? 'rk-outdated' : undefined}
          >
            <Box className="rk-group-title" px="xs" pt="xs" pb="2xs" aria-hidden>
              {t(`groups.${group}`)}
            </Box>
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
      <Text span inherit truncate flex="none" maw="70%">
        {label}
      </Text>
      <Text span className="rk-note" truncate miw={0} ml="auto">
        {why ?? detail}
      </Text>
    </div>
  )
}
