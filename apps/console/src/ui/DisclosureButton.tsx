import { Button, type ButtonProps } from '@mantine/core'

interface DisclosureButtonProps extends ButtonProps {
  isOpen: boolean
  toggle: () => void
  /** The id of what the button opens; the element exists only while it is open. */
  controls?: string
  'aria-label'?: string
}

/** Opens and closes what is shown below it, such as a log or the details of a row. */
export function DisclosureButton({ isOpen, toggle, controls, ...rest }: DisclosureButtonProps) {
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={toggle}
      {...rest}
    />
  )
}
