import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { focusFirstRow } from './use-page-keys.tsx'
import { useTypedText } from './use-typed-text.ts'

interface SearchFieldProps {
  label: string
  clearLabel: string
  /** The present search. */
  text: string | undefined
  /** Whether it has the focus when its dialog opens. */
  isFirst?: boolean
  /** Called when typing pauses, and at once on Enter. Must lead to the first page. */
  onText: (text: string | undefined) => void
  /** Whether the rows are still those of a former search. If given, Enter and the arrow down lead to the first row. */
  isOutdated?: boolean
}

/** The search field above a table. */
export function SearchField({ label, clearLabel, text = '', isFirst, onText, isOutdated }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const { typed, type, reportNow, isPending } = useTypedText(text, (value) => onText(value || undefined))
  const [awaited, setAwaited] = useState<string | null>(null)
  useEffect(() => {
    if (awaited === null) return
    // An operator who types on stays in the search.
    const isWaiting = document.activeElement === input.current && input.current?.value.trim() === awaited
    if (isWaiting && (isOutdated || text !== awaited)) return
    setAwaited(null)
    if (isWaiting) focusFirstRow()
  }, [awaited, isOutdated, text])
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      if (event.key === 'Enter' || isPending()) reportNow(typed)
      if (isOutdated !== undefined) {
        event.preventDefault()
        setAwaited(typed.trim())
      }
    }
    if (event.key === 'Escape' && typed !== '') reportNow('')
  }
  return (
    <TextInput
      ref={input}
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
