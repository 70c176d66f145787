import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useState } from 'react'

const typingMilliseconds = 300

interface SearchFieldProps {
  label: string
  clearLabel: string
  inputRef: RefObject<HTMLInputElement | null>
  /** What is searched for now. */
  text: string
  /** Told when typing pauses, and at once on Enter. */
  onText: (text: string) => void
}

/** The search over a table. */
export function SearchField({ label, clearLabel, inputRef, text, onText }: SearchFieldProps) {
  const [typed, setTyped] = useState(text)
  const [told, setTold] = useState(text)
  const [seen, setSeen] = useState(text)
  // Changed from outside (back, Reset filter), not the answer to what was told.
  if (text !== seen) {
    setSeen(text)
    if (text !== told) {
      setTold(text)
      setTyped(text)
    }
  }
  const tell = (value: string) => {
    setTold(value)
    onText(value)
  }
  const tellSoon = useDebouncedCallback(tell, typingMilliseconds)
  const type = (value: string) => {
    setTyped(value)
    tellSoon(value.trim())
  }
  const tellNow = (value: string) => {
    tellSoon.cancel()
    setTyped(value)
    tell(value.trim())
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') tellNow(typed)
    if (event.key === 'Escape' && typed !== '') tellNow('')
  }
  return (
    <TextInput
      ref={inputRef}
      type="search"
      size="xs"
      w={260}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} stroke={1.8} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label={clearLabel} onClick={() => tellNow('')} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKey}
    />
  )
}
