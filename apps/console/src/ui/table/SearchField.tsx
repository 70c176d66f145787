import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { KeyboardEvent, RefObject } from 'react'
import { useTypedText } from './use-typed-text.ts'

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
  const { typed, type, reportNow, isPending } = useTypedText(text, onText)
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      if (event.key === 'Enter' || isPending()) reportNow(typed)
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
