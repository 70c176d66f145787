// @vitest-environment jsdom
import '#testing/console.tsx'
import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { SearchField } from './SearchField.tsx'

afterEach(() => void vi.useRealTimers())

test('the field follows changes from outside, but keeps what is typed while an earlier text comes back', () => {
  vi.useFakeTimers()
  const onText = vi.fn()
  const field = (text?: string) => (
    <MantineProvider>
      <SearchField label="Search" clearLabel="Clear" text={text} onText={onText} />
    </MantineProvider>
  )
  const { rerender } = render(field())
  const input = screen.getByRole('searchbox')
  const type = (value: string) => fireEvent.change(input, { target: { value } })
  const pause = () => act(() => void vi.advanceTimersByTime(300))
  type('ann ')
  expect(onText).not.toHaveBeenCalled()
  pause()
  expect(onText).toHaveBeenLastCalledWith('ann')
  type('ann b')
  rerender(field('ann'))
  expect(input).toHaveValue('ann b')
  pause()
  expect(onText).toHaveBeenLastCalledWith('ann b')
  rerender(field('ann b'))
  expect(input).toHaveValue('ann b')
  rerender(field())
  expect(input).toHaveValue('')
})
