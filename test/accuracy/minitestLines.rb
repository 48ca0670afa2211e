# frozen_string_literal: true

# A reporter of Minitest: one line of JSON for each case that ended, into the file that LATTICE_CASES names.
require 'json'
require 'minitest'

module Minitest
  class LinesReporter < AbstractReporter
    def initialize(path)
      super()
      @out = File.open(path, 'w')
      @out.sync = true
    end

    def record(result)
      @out.puts JSON.generate(file: result.source_location[0], class: result.klass, name: result.name, passed: result.passed? || result.skipped?)
    end
  end

  def self.plugin_lines_init(_options)
    reporter << LinesReporter.new(ENV.fetch('LATTICE_CASES'))
  end
end
Minitest.extensions << 'lines'
