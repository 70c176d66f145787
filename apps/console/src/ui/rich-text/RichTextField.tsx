import { Input } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import '@mantine/tiptap/styles.layer.css'
import { Link } from '@tiptap/extension-link'
import { useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useEffectEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './RichTextField.module.css'

interface RichTextFieldProps {
  label: string
  /** HTML to begin with; give the component another `key` to begin anew. */
  initial: string
  /** Gets HTML; empty when there is nothing to read. */
  onChange: (html: string) => void
  onBlur: () => void
  error: string | null
}

const extensions = [
  // Its own link is that of the line below.
  StarterKit.configure({ link: false }),
  Link.configure({ openOnClick: false, defaultProtocol: 'https', protocols: ['mailto'] }),
]

/** A text with emphasis, headings, lists and links. Heavy: load it on demand. */
export function RichTextField({ label, initial, onChange, onBlur, error }: RichTextFieldProps) {
  const { t } = useTranslation('rich-text')
  const id = useId()
  const tell = useEffectEvent(onChange)
  const tellLeft = useEffectEvent(onBlur)
  const editor = useEditor({
    extensions,
    content: initial,
    shouldRerenderOnTransaction: true,
    onUpdate: ({ editor: changed }) => tell(changed.getText().trim() === '' ? '' : changed.getHTML()),
    onBlur: () => tellLeft(),
  })
  useEffect(() => {
    const described = error === null ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }
    const attributes = { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, ...described }
    editor?.setOptions({ editorProps: { attributes: { ...attributes, 'aria-required': 'true' } } })
  }, [editor, label, error, id])
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      withAsterisk
      error={error}
      errorProps={{ id: `${id}-error` }}
      onClick={(event) => {
        if (event.target instanceof HTMLElement && event.target.closest('[class*=label]') !== null)
          editor?.commands.focus()
      }}
    >
      <RichTextEditor
        editor={editor}
        className={classes.root ?? ''}
        data-error={error !== null || undefined}
        labels={t('labels', { returnObjects: true })}
      >
        <Toolbar />
        <RichTextEditor.Content />
      </RichTextEditor>
    </Input.Wrapper>
  )
}

function Toolbar() {
  return (
    <RichTextEditor.Toolbar>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Bold />
        <RichTextEditor.Italic />
        <RichTextEditor.Underline />
        <RichTextEditor.Strikethrough />
        <RichTextEditor.ClearFormatting />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.H2 />
        <RichTextEditor.H3 />
        <RichTextEditor.BulletList />
        <RichTextEditor.OrderedList />
        <RichTextEditor.Blockquote />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Link />
        <RichTextEditor.Unlink />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  )
}
