import { Autocomplete, CloseButton } from '@mantine/core'
import { fieldErrorsOf, isSameLabel, labelList } from '@roomkeeper/contract'
import { type LabelChange, labelsWith } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFieldError } from '#locales/error-texts.ts'
import { LabelChip, LabelLink } from './LabelChip.tsx'
import classes from './labels.module.css'
import { labelsQuery } from './queries.ts'

const suggestionsShown = 8

interface LabelsInputProps {
  /** The accessible name of the group. */
  title: string
  labels: readonly string[]
  onChange: (change: LabelChange) => void
  /** Why the labels were refused. */
  refused?: string | null | undefined
  /** Of the field in a form. There, typed text is added when the field is left; elsewhere only by Enter. */
  path?: string
}

/** Labels that are added by typing, with those that other rooms have as suggestions, and removed by their crosses. */
export function LabelsInput({ title, labels, onChange, refused, path }: LabelsInputProps) {
  const isInForm = path !== undefined
  const { t } = useTranslation(['labels', 'errors'])
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const { data: known = [] } = useQuery({ ...labelsQuery, enabled: isOpen })
  const type = (text: string) => {
    setTyped(text)
    setWrong(null)
  }
  const add = (text: string) => {
    if (text.trim() === '') return
    const { data, error } = labelList.safeParse(labelsWith(labels, { add: [text.trim()], remove: [] }))
    const [first] = error === undefined ? [] : fieldErrorsOf(error)
    if (first !== undefined) return setWrong(textOfFieldError(first))
    type('')
    setIsOpen(false)
    if (data !== undefined && data.length > labels.length) onChange({ add: data.slice(labels.length), remove: [] })
  }
  const addByKey = (event: KeyboardEvent) => {
    // Enter that has chosen a suggestion is handled already.
    if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing || typed.trim() === '') return
    if (!event.ctrlKey && !event.metaKey) event.preventDefault()
    add(typed)
  }
  const remove = (label: string) => {
    // The cross goes, and the focus must not go with it.
    field.current?.focus()
    onChange({ add: [], remove: [label] })
  }
  const suggestions = known.map(({ label }) => label).filter((each) => !labels.some((own) => isSameLabel(own, each)))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and cannot be laid out as a row.
    <div role="group" aria-label={title} className={classes.input} onKeyDown={addByKey}>
      {labels.length > 0 && (
        <ul className={classes.labels}>
          {labels.map((label) => (
            <li key={label}>
              {isInForm ? <LabelChip label={label} /> : <LabelLink label={label} />}
              <CloseButton
                size={24}
                iconSize={14}
                aria-label={t('remove', { label })}
                title={t('remove', { label })}
                onClick={() => remove(label)}
              />
            </li>
          ))}
        </ul>
      )}
      <Autocomplete
        ref={field}
        data-path={path}
        size="xs"
        className={classes.add}
        aria-label={t('add')}
        placeholder={t('add')}
        autoComplete="off"
        data={suggestions}
        limit={suggestionsShown}
        dropdownOpened={isOpen}
        onDropdownOpen={() => setIsOpen(true)}
        onDropdownClose={() => setIsOpen(false)}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        renderOption={({ option: { value } }) => <LabelChip label={value} />}
        value={typed}
        error={wrong ?? refused}
        onChange={type}
        onBlur={() => isInForm && add(typed)}
        onOptionSubmit={(label) => {
          add(label)
          // The field takes the chosen text after this.
          queueMicrotask(() => setTyped(''))
        }}
      />
    </div>
  )
}
