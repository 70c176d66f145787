import type { KeyboardEvent, PointerEvent } from 'react'
import classes from './PeekButton.module.css'

interface PeekButtonProps {
  label: string
  isHeld: boolean
  onHold: (isHeld: boolean) => void
}

/** An eye at the right end of a password input, held down with the pointer or with Space or Enter. */
export function PeekButton({ label, isHeld, onHold }: PeekButtonProps) {
  const release = () => onHold(false)

  function press(event: PointerEvent<HTMLButtonElement>) {
    // Capture the pointer, so that a release outside the button is noticed too.
    event.currentTarget.setPointerCapture(event.pointerId)
    onHold(true)
  }
  function pressKey(event: KeyboardEvent) {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    onHold(true)
  }
  return (
    <button
      type="button"
      className={`rk-icon-button ${classes.eye}`}
      aria-label={label}
      aria-pressed={isHeld}
      title={label}
      onPointerDown={press}
      onPointerUp={release}
      onPointerCancel={release}
      onLostPointerCapture={release}
      onKeyDown={pressKey}
      onKeyUp={release}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
    >
      <svg
        viewBox="0 0 24 24"
        width="18"
        height="18"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        aria-hidden="true"
      >
        <path d="M2.5 12C4.5 8 8 5.8 12 5.8s7.5 2.2 9.5 6.2c-2 4-5.5 6.2-9.5 6.2S4.5 16 2.5 12Z" />
        <circle cx="12" cy="12" r="3" fill={isHeld ? 'currentColor' : 'none'} />
      </svg>
    </button>
  )
}
