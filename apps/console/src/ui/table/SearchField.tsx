import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useState } from 'react'

const typingMilliseconds = 300

interface SearchFieldProps {
  label: string
  clearLabel: string
  inputRef: RefObject<HTMLInputElement | null>
  /** The present search. */
  text: string
  /** Whether it has the focus when its dialog opens. */
  isFirst?: boolean
  /** Called when typing pauses, and at once on Enter. */
  onText: (text: string) => void
  /** Called for Enter and the arrow down, which lead to what was found. */
  onLeave?: () => void
}

/** The search field above a table. */
export function SearchField({ label, clearLabel, inputRef, text, isFirst, onText, onLeave }: SearchFieldProps) {
  const [typed, setTyped] = useState(text)
  const [reported, setReported] = useState(text)
  const [known, setKnown] = useState(text)
  // The search was changed elsewhere (Back, Reset filter), not in this field.
  if (text !== known) {
    setKnown(text)
    if (text !== reported) {
      setReported(text)
      setTyped(text)
    }
  }
  const report = (value: string) => {
    setReported(value)
    onText(value)
  }
  const reportSoon = useDebouncedCallback(report, typingMilliseconds)
  const type = (value: string) => {
    setTyped(value)
    reportSoon(value.trim())
  }
  const reportNow = (value: string) => {
    reportSoon.cancel()
    setTyped(value)
    report(value.trim())
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      if (event.key === 'Enter' || reportSoon.isPending()) reportNow(typed)
      if (onLeave !== undefined) event.preventDefault()
      onLeave?.()
    }
    if (event.key === 'Escape' && typed !== '') reportNow('')
  }
  return (
    <TextInput
      ref={inputRef}
      type="search"
      size="xs"
      w={260}
      aria-label={label}
      placeholder={label}
      data-autofocus={isFirst}
      leftSection={<IconSearch size={15} stroke={1.8} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label={clearLabel} onClick={() => reportNow('')} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKey}
    />
  )
}
