import { Button, type ButtonProps } from '@mantine/core'

interface DisclosureButtonProps extends ButtonProps {
  isOpen: boolean
  toggle: () => void
  /** Its label lines up with the text around it. */
  isInText?: boolean
  /** The id of what the button opens; the element exists only while it is open. */
  controls?: string
  'aria-label'?: string
}

/** Opens and closes what is shown below it, such as a log or the details of a row. */
export function DisclosureButton({ isOpen, toggle, isInText = false, controls, ...rest }: DisclosureButtonProps) {
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      ml={isInText ? 'calc(-1 * var(--button-padding-x))' : undefined}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={toggle}
      {...rest}
    />
  )
}
