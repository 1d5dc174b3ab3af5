# frozen_string_literal: true

# The daemon's own page inside Open OnDemand: passes questions on to the daemon's socket, as the user that Passenger runs this app as.
#
# For: /var/www/ood/apps/sys/queuecast/config.ru. The kernel tells the daemon who asks; nothing that a browser sends does.
# Not for: a daemon on another machine (docs/operations/proxy.md), and running as one user for many: everybody would be that user.
#
# Ruby's own library only, and of rack no more than its calling convention. Reads QCAST_SOCKET, else /run/queuecast/api.sock.

require 'erb'
require 'io/wait'
require 'json'
require 'socket'

# What passes, in both directions, is listed by name. A list of what must not pass would miss the next header that means something to somebody.
class QueuecastApp
  SOCKET = '/run/queuecast/api.sock'
  CONNECT_SECONDS = 1
  # `why` and `limit` take the daemon 20 s at most.
  HEAD_SECONDS = 25
  BODY_SECONDS = 30
  # The daemon takes as much.
  MOST_ASKED = 64 * 1024
  LONGEST_QUERY = 4 * 1024
  MOST_HEAD = 32 * 1024
  MOST_ANSWERED = 32 * 1024 * 1024

  PATHS = %r{\A/(?:|openapi\.json|icon\.svg|assets/[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*|v1/[A-Za-z0-9_][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_](?:[A-Za-z0-9_+-]|%2[Bb])*)*)\z}.freeze
  # Not the portal's cookies and passwords, and nothing that says who asks.
  ASKED = {
    'HTTP_ACCEPT' => 'Accept', 'HTTP_ACCEPT_ENCODING' => 'Accept-Encoding', 'HTTP_ACCEPT_LANGUAGE' => 'Accept-Language',
    'HTTP_IF_NONE_MATCH' => 'If-None-Match', 'HTTP_IF_MODIFIED_SINCE' => 'If-Modified-Since', 'CONTENT_TYPE' => 'Content-Type'
  }.freeze
  ANSWERED = %w[
    allow cache-control content-encoding content-language content-length content-security-policy content-type cross-origin-opener-policy
    cross-origin-resource-policy etag last-modified permissions-policy referrer-policy retry-after vary x-content-type-options x-frame-options
  ].freeze

  # The daemon cannot be asked: the status for the browser, a word for programs, and a sentence for people.
  class Trouble < StandardError
    attr_reader :status, :code

    def initialize(status, code, words)
      @status = status
      @code = code
      super(words)
    end
  end

  def call(env)
    path = env['PATH_INFO'].to_s
    # The page's addresses are relative, so its own must end in a slash.
    return [302, { 'location' => "#{prefix(env)}/", 'content-type' => 'text/plain', 'content-length' => '0' }, []] if path.empty?

    check(env, path)
    # The portal runs one process of an app for a user, which answers one request at a time: a stream would hold up all the others. A browser that is told
    # this does not ask for it again, and the page asks every half minute instead.
    return [204, {}, []] if path == '/v1/changes'

    body = read_asked(env)
    raise Trouble.new(403, 'other_site', 'Another site must not ask in your name.') unless env['REQUEST_METHOD'] != 'POST' || own_site?(env)

    socket = connect
    begin
      ask(socket, env, path, body)
      head, rest = read_head(socket)
      answer(env, head, Body.new(socket, rest, env['REQUEST_METHOD'] == 'HEAD'))
    rescue StandardError
      socket.close
      raise
    end
  rescue Trouble => e
    say(e, path)
  rescue SystemCallError, IOError
    say(Trouble.new(502, 'broken', 'The forecast broke off. Your jobs are not affected.'), path)
  end

  private

  # Where the portal has put this app, as it tells us, and not as a browser does.
  def prefix(env)
    env['SCRIPT_NAME'].to_s.chomp('/')
  end

  def check(env, path)
    method = env['REQUEST_METHOD']
    raise Trouble.new(405, 'wrong_method', 'Only GET, HEAD and POST are passed on.') unless %w[GET HEAD POST].include?(method)
    raise Trouble.new(404, 'unknown_route', 'There is no such page.') unless path.match?(PATHS)
    raise Trouble.new(414, 'too_large', 'The address is too long.') if env['QUERY_STRING'].to_s.bytesize > LONGEST_QUERY
    # Spaces and line ends would end the line of the request.
    raise Trouble.new(400, 'bad_request', 'The address has characters that it must not have.') unless env['QUERY_STRING'].to_s.match?(/\A[!-~]*\z/)
    raise Trouble.new(413, 'too_large', "At most #{MOST_ASKED} bytes can be sent.") if env['CONTENT_LENGTH'].to_i > MOST_ASKED
  end

  # The portal's cookie goes with whatever a browser sends, also with what a page of somebody else's makes it send.
  def own_site?(env)
    site = env['HTTP_SEC_FETCH_SITE']
    return false unless site.nil? || %w[same-origin none].include?(site)

    origin = env['HTTP_ORIGIN']
    origin.nil? || origin.sub(%r{\Ahttps?://}, '') == env['HTTP_HOST'].to_s
  end

  def connect
    path = ENV['QCAST_SOCKET'].to_s.empty? ? SOCKET : ENV['QCAST_SOCKET']
    until_then = clock + CONNECT_SECONDS
    socket = Socket.new(:UNIX, :STREAM)
    begin
      socket.connect_nonblock(Socket.sockaddr_un(path))
    rescue IO::WaitWritable, Errno::EAGAIN
      raise away if clock > until_then

      sleep 0.02
      retry
    rescue Errno::EISCONN
      nil
    end
    socket
  rescue Errno::EACCES, Errno::EPERM
    socket&.close
    raise Trouble.new(403, 'not_permitted', 'The forecast does not let this portal ask. Tell your support.')
  rescue SystemCallError, ArgumentError
    socket&.close
    raise away
  end

  def away
    Trouble.new(503, 'away', 'The forecast does not answer. Your jobs are not affected.')
  end

  # HTTP/1.0: the answer ends where the connection does, so parts can be passed on as they come.
  def ask(socket, env, path, body)
    query = env['QUERY_STRING'].to_s
    lines = ["#{env['REQUEST_METHOD']} #{path}#{"?#{query}" unless query.empty?} HTTP/1.0", 'Host: localhost']
    ASKED.each do |key, name|
      value = env[key].to_s
      lines << "#{name}: #{value}" if value.match?(/\A[ -~]{1,1024}\z/)
    end
    lines << "Content-Length: #{body.bytesize}" if env['REQUEST_METHOD'] == 'POST'
    socket.write("#{lines.join("\r\n")}\r\n\r\n".b + body)
  end

  # One byte more than may be: a body without a length is measured, too. It is read before anything is refused: who is answered while still sending may miss the answer.
  def read_asked(env)
    return ''.b unless env['REQUEST_METHOD'] == 'POST'

    body = env['rack.input'] ? env['rack.input'].read(MOST_ASKED + 1).to_s.b : ''.b
    raise Trouble.new(413, 'too_large', "At most #{MOST_ASKED} bytes can be sent.") if body.bytesize > MOST_ASKED

    body
  end

  def read_head(socket)
    until_then = clock + HEAD_SECONDS
    got = ''.b
    until got.include?("\r\n\r\n")
      raise Trouble.new(504, 'too_late', 'The forecast took too long. Ask again in a moment.') unless socket.wait_readable([until_then - clock, 0].max)

      part = socket.read_nonblock(16_384, exception: false)
      raise Trouble.new(502, 'broken', 'The forecast broke off. Your jobs are not affected.') if part.nil? || got.bytesize > MOST_HEAD

      got << part unless part == :wait_readable
    end
    got.split("\r\n\r\n", 2)
  end

  def answer(_env, head, body)
    first, *lines = head.split("\r\n")
    status = first.to_s[%r{\AHTTP/1\.[01] ([2-5][0-9]{2})}, 1]
    raise Trouble.new(502, 'odd', 'The forecast answered in a way that is not understood.') if status.nil?

    headers = {}
    lines.each do |line|
      name, value = line.split(':', 2)
      name = name.downcase
      headers[name] = value.to_s.strip if ANSWERED.include?(name)
    end
    [status.to_i, headers, body]
  end

  def say(trouble, path)
    if path.start_with?('/v1/', '/openapi')
      type = 'application/json'
      text = JSON.generate(error: { code: trouble.code, message: trouble.message, what_to_do: 'ask again in a minute' })
    else
      type = 'text/html; charset=utf-8'
      text = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>When jobs start</title><p>#{ERB::Util.html_escape(trouble.message)}</p></html>\n"
    end
    headers = {
      'content-type' => type, 'content-length' => text.bytesize.to_s, 'cache-control' => 'no-store', 'x-content-type-options' => 'nosniff',
      'content-security-policy' => "default-src 'none'; frame-ancestors 'self'"
    }
    headers['retry-after'] = '60' if trouble.status == 503
    [trouble.status, headers, [text]]
  end

  def clock
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  # The answer's body, part by part as the daemon sends it.
  class Body
    def initialize(socket, rest, is_head)
      @socket = socket
      @rest = rest
      @is_head = is_head
    end

    def each
      return if @is_head

      sent = @rest.bytesize
      yield @rest unless @rest.empty?
      while sent <= MOST_ANSWERED && @socket.wait_readable(BODY_SECONDS)
        part = @socket.read_nonblock(65_536, exception: false)
        break if part.nil?
        next if part == :wait_readable

        sent += part.bytesize
        yield part
      end
    rescue SystemCallError, IOError
      nil # What was promised in content-length is then not there, and the browser sees that.
    ensure
      close
    end

    def close
      @socket.close unless @socket.closed?
    end
  end
end

run QueuecastApp.new
