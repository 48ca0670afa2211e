# frozen_string_literal: true

# Reads Ruby on stdin; writes [offset in bytes, statement] that makes the method on the given lines fail, or nothing.
require 'json'

text = $stdin.binmode.read.force_encoding('UTF-8')
first, last = ARGV.map(&:to_i)
tree = RubyVM::AbstractSyntaxTree.parse(text)
starts = [0]
text.each_line { |line| starts << starts.last + line.bytesize }
pending = [tree]
until pending.empty?
  node = pending.shift
  next unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

  pending.concat(node.children)
  next unless %i[DEFN DEFS].include?(node.type) && node.first_lineno == first && node.last_lineno == last && last > first

  arguments, body = node.children.last.children[1..]
  next if body.nil? || body.first_lineno == first

  # The arguments may go over several lines: the body begins in a line of its own.
  at = starts[body.first_lineno - 1]
  next if arguments && arguments.last_lineno >= body.first_lineno

  print JSON.generate([at, "raise 'mutant'; "])
  break
end
